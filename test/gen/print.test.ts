import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { generateCluster, MIXES, printList } from '../../src/gen/index.ts'

const cluster = () => generateCluster({ ...MIXES.everything, services: 400, endpoints: 3 })
const list = (items: readonly unknown[]) => ({ apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } })

test('YAML and JSON hold the same objects as one List, in chunks', () => {
  const objects = JSON.parse(JSON.stringify([...cluster()]))
  const yaml = [...printList(cluster(), 'yaml')]
  const json = [...printList(cluster(), 'json')]
  expect(load(yaml.join(''))).toEqual(list(objects))
  expect(JSON.parse(json.join(''))).toEqual(list(objects))
  for (const chunks of [yaml, json]) {
    expect(chunks.length).toBeGreaterThan(10)
    expect(Math.max(...chunks.map(chunk => chunk.length))).toBeLessThan(100_000)
  }
})

test('an empty List', () => {
  expect(load([...printList([], 'yaml')].join(''))).toEqual(list([]))
  expect(JSON.parse([...printList([], 'json')].join(''))).toEqual(list([]))
})

test('JSON is indented by four, as kubectl does', () => {
  expect([...printList([{ kind: 'Node' }, { kind: 'Node' }], 'json')].join('')).toBe(
    `${JSON.stringify(list([{ kind: 'Node' }, { kind: 'Node' }]), undefined, 4)}\n`,
  )
})

test('objects are taken one at a time as they are printed', () => {
  let taken = 0
  function* many() {
    for (; taken < 10_000; taken++) yield { kind: 'Node', metadata: { name: `worker-${taken}` } }
  }
  const chunks = printList(many(), 'yaml')
  chunks.next()
  expect(taken).toBeLessThan(3000)
})
