import { describe, expect, test } from 'vitest'
import { canonicalRule } from '../../src/iptables/index.ts'

describe('texts of the same rule are equal', () => {
  test.each([
    ['-m tcp -p tcp -d 172.30.0.41 --dport 80 ! -s 10.0.0.0/8 -j A', '! -s 10.0.0.0/8 -d 172.30.0.41/32 -p tcp -m tcp --dport 80 -j A'],
    ['-p tcp --dport 80 -j A', '--protocol 6 -m tcp --destination-port 80 --jump A'],
    ['-m tcp -p tcp -j DNAT --to-destination 10.1.0.1:80', '-p tcp -m tcp -j DNAT --to-destination 10.1.0.1:80'],
    ['-s 10.1.2.3/8 -j A', '-s 10.0.0.0/255.0.0.0 -j A'],
    ['-s 0.0.0.0/0 -j A', '-j A'],
    ['-s 2001:DB8::0/32 -j A', '-s 2001:db8::/32 -j A'],
    ['-d ::1/128 -j A', '-d ::1 -j A'],
    ['-m mark --mark 0x00004000/0x00004000 -j A', '-m mark --mark 0x4000/16384 -j A'],
    ['-m mark --mark 1 -j A', '-m mark --mark 0x1/0xffffffff -j A'],
    ['-j MARK --xor-mark 0x00004000', '-j MARK --set-xmark 0x4000/0x0'],
    ['-j MARK --or-mark 0x80000000', '-j MARK --set-xmark 0x80000000/0x80000000'],
    ['-j MARK --and-mark 0xff', '-j MARK --set-xmark 0x0/0xffffff00'],
    ['-j MARK --set-mark 0x1/0x2', '-j MARK --set-xmark 0x1/0x3'],
    ['-m statistic --mode random --probability 0.3333333333 -j A', '-m statistic --mode random --probability 0.33333333349 -j A'],
    ['-m conntrack ! --ctstate RELATED,DNAT -j A', '-m conntrack ! --ctstate DNAT,RELATED -j A'],
    ['-m comment --comment "shop/web" -j A', '-m comment --comment shop/web -j A'],
    ['-m comment --comment "a" -m addrtype --dst-type LOCAL -j A', '-m addrtype --dst-type LOCAL -m comment --comment "a" -j A'],
    ['-m recent --name B --set -j A', '-m recent --set --name B --mask 255.255.255.255 --rsource -j A'],
    ['-m nfacct --nfacct-name n -j A', '-m nfacct --nfacct-name  n -j A'],
    ['-j REJECT', '-j REJECT --reject-with icmp-port-unreachable'],
    ['-s ! 10.0.0.0/8 -j A', '! -s 10.0.0.0/8 -j A'],
    ['-c 1 2 -j A', '-j A'],
  ])('%s is %s', (one, other) => {
    expect(canonicalRule(one)).toBe(canonicalRule(other))
  })
})

describe('texts of different rules differ', () => {
  test.each([
    ['-s 10.0.0.1 -j A', '-d 10.0.0.1 -j A'],
    ['-s 10.0.0.1 -j A', '! -s 10.0.0.1 -j A'],
    ['-j A', '! -s 0.0.0.0/0 -j A'],
    ['-j A', '-g A'],
    ['-j A', ''],
    ['-p tcp -m tcp --dport 80 -j A', '-p udp -m udp --dport 80 -j A'],
    ['-p tcp -m tcp --dport 80 -j A', '-p tcp -m tcp --sport 80 -j A'],
    ['-p tcp -m tcp --dport 80 -j A', '-p tcp -m tcp ! --dport 80 -j A'],
    ['-m mark --mark 0x1 -j A', '-m mark --mark 0x1/0x1 -j A'],
    ['-j MARK --or-mark 0x4000', '-j MARK --set-mark 0x4000'],
    ['-m socket -j A', '-j A'],
    ['-m socket -j A', '-m socket --transparent -j A'],
    ['-m comment --comment "a b" -j A', '-m comment --comment "a" -j A'],
    ['-m comment --comment "-j B" -j A', '-m comment --comment "" -j B -j A'],
    ['-m statistic --mode random --probability 0.5000000000 -j A', '-m statistic --mode random --probability 0.3333333333 -j A'],
    ['-m limit --limit 5/min -m recent --set -j A', '-m recent --set -m limit --limit 5/min -j A'],
    ['-m policy --pol ipsec --next --pol none -j A', '-m policy --pol none --next --pol ipsec -j A'],
    ['-m set --match-set a src -j A', '-m set --match-set a dst -j A'],
    ['-j REJECT', '-j REJECT --reject-with tcp-reset'],
    ['-m unheard --of 1 -j A', '-m unheard --of 2 -j A'],
    ['-j MASQUERADE', '-j MASQUERADE --random-fully'],
  ])('%s is not %s', (one, other) => {
    expect(canonicalRule(one)).not.toBe(canonicalRule(other))
  })
})
