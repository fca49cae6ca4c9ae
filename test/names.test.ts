import { describe, expect, test } from 'vitest'
import { isDNSLabel, isInterfaceName, isSchedulerName } from '../src/names.ts'

describe.each([
  [
    'isDNSLabel',
    isDNSLabel,
    ['a', '0', 'web-1', 'a'.repeat(63)],
    ['', '-a', 'a-', 'Web', 'a.b', 'a_b', 'a b', 'a\n', 'a'.repeat(64), 'ä', 'a"', '$(a)'],
  ],
  [
    'isInterfaceName',
    isInterfaceName,
    ['lo', 'cbr0', 'veth', 'eth0.100', 'br-lan_1', 'A'.repeat(15)],
    ['', 'a'.repeat(16), 'a b', 'a\n', 'a*', 'a+', 'a"', "a'", 'a;', 'a/b', 'a@b', 'ä'],
  ],
  ['isSchedulerName', isSchedulerName, ['rr', 'wlc', 'lblcr', 'mh'], ['', 'RR', 'rr ', 'rr\n', 'r-r', 'r1', 'a'.repeat(16)]],
])('%s', (_name, holds, good, bad) => {
  test.each(good)('%j is one', text => expect(holds(text)).toBe(true))
  test.each(bad)('%j is none', text => expect(holds(text)).toBe(false))
})
