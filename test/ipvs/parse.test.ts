import { describe, expect, test } from 'vitest'
import {
  canonicalSets,
  parseAddresses,
  parseSets,
  parseVirtualServers,
  printSets,
  printVirtualServers,
  virtualServersOf,
} from '../../src/ipvs/index.ts'

describe('ipvsadm -Sn', () => {
  const dump = `-A -t 10.0.0.1:80 -s rr -p 10800 -M 255.255.255.0 --pe sip
-a -t 10.0.0.1:80 -r 10.1.0.1:8080 -m -w 1
-a -t 10.0.0.1:80 -r 10.1.0.2:8080 -i -w 0 --tun-type gue --tun-port 6080 --tun-nocsum
-A -u [fd00::1]:53 -s mh -b mh-port,mh-fallback -o
-a -u [fd00::1]:53 -r [fd00:10::1]:53 -g -w 65535
-A --sctp-service 10.0.0.1:9 -s wlc --future 7
-A -f 7 -s lblcr
-A -f 7000 -s sh -6
`

  test('every option is read, and printed again as it was', () => {
    const servers = parseVirtualServers(dump)
    expect([...servers.keys()]).toEqual(['-t 10.0.0.1:80', '-u [fd00::1]:53', '--sctp-service 10.0.0.1:9', '-f 7', '-f 7000'])
    expect(servers.get('-t 10.0.0.1:80')?.options).toEqual(['-s rr', '-p 10800', '-M 255.255.255.0', '--pe sip'])
    expect(servers.get('-t 10.0.0.1:80')?.destinations.get('10.1.0.2:8080')).toEqual([
      '-i',
      '-w 0',
      '--tun-type gue',
      '--tun-port 6080',
      '--tun-nocsum',
    ])
    expect(servers.get('--sctp-service 10.0.0.1:9')?.options).toEqual(['-s wlc', '--future', '7'])
    expect(printVirtualServers(servers)).toBe(dump)
  })

  test('families are told apart', () => {
    const servers = parseVirtualServers(dump)
    expect([...virtualServersOf(servers, 'ipv4').keys()]).toEqual(['-t 10.0.0.1:80', '--sctp-service 10.0.0.1:9', '-f 7'])
    expect([...virtualServersOf(servers, 'ipv6').keys()]).toEqual(['-u [fd00::1]:53', '-f 7000'])
  })

  test('long options and addresses in other spellings mean the same', () => {
    const text = `--add-service --udp-service [FD00:0::1]:53 --scheduler rr --persistent 60
--add-server --udp-service [fd00::1]:53 --real-server [fd00:0:0::2]:53 --masquerading --weight 1`
    expect(printVirtualServers(parseVirtualServers(text))).toBe(`-A -u [fd00::1]:53 -s rr -p 60
-a -u [fd00::1]:53 -r [fd00::2]:53 -m -w 1
`)
  })

  test.each([
    ['-A -t localhost:http -s rr', /"localhost:http" is not a numeric service: dump it with ipvsadm -Sn/],
    ['-A -f mark -s rr', /"mark" is not a numeric service/],
    ['-a -t 10.0.0.1:80 -r 10.1.0.1:80 -m', /there is no virtual server -t 10\.0\.0\.1:80 above/],
    ['-A -t 10.0.0.1:80 -s rr\n-a -t 10.0.0.1:80 -m', /line 2: .* names no destination/],
    ['-A -t 10.0.0.1:80 -s rr\n-a -t 10.0.0.1:80 -r web:http -m', /"web:http" is not a numeric destination/],
    ['-A -t 10.0.0.1:80 -s rr\n-A -t 10.0.0.1:80 -s rr', /stands here twice/],
    ['IP Virtual Server version 1.2.1 (size=4096)', /nothing that ipvsadm -Sn prints/],
    ['-D -t 10.0.0.1:80', /nothing that ipvsadm -Sn prints/],
  ])('%s is refused', (text, message) => {
    expect(() => parseVirtualServers(text, 'live.ipvsadm')).toThrow(message)
    expect(() => parseVirtualServers(text, 'live.ipvsadm')).toThrow(/live\.ipvsadm/)
  })
})

describe('ipset save', () => {
  /** Printed by ipset 7.17 on kernel 6.18. */
  const dump = `create a hash:ip,port family inet hashsize 1024 maxelem 65536 timeout 300 counters comment skbinfo bucketsize 12 initval 0xd0c66d82
create b bitmap:port range 0-65535
create c hash:ip,port,net family inet6 hashsize 1024 maxelem 65536 bucketsize 12 initval 0xe2774ffd
create g hash:ip family inet hashsize 1024 maxelem 65536 netmask 24 bucketsize 12 initval 0x94f8b46b
create d list:set size 8
add a 10.0.0.1,tcp:81 timeout 0 packets 0 bytes 0 comment "he  llo" skbmark 0x1/0xff
add b 80
add c fd00::1,udp:53,fd00::/65 nomatch
add g 10.0.0.0
add d a
`

  test('every option is read, and printed again as it was', () => {
    const sets = parseSets(dump)
    expect(sets.get('a')).toEqual({
      type: 'hash:ip,port',
      options: [
        'family inet',
        'hashsize 1024',
        'maxelem 65536',
        'timeout 300',
        'counters',
        'comment',
        'skbinfo',
        'bucketsize 12',
        'initval 0xd0c66d82',
      ],
      entries: new Map([['10.0.0.1,tcp:81', ['timeout 0', 'packets 0', 'bytes 0', 'comment "he  llo"', 'skbmark 0x1/0xff']]]),
    })
    expect(sets.get('c')?.entries).toEqual(new Map([['fd00::1,udp:53,fd00::/65', ['nomatch']]]))
    expect(printSets(sets)).toBe(dump)
  })

  test('what the kernel decides makes no difference, nor does the prefix of a single host', () => {
    const ours = parseSets('create n hash:ip,port,net family inet hashsize 1024 maxelem 65536\nadd n 10.0.0.1,tcp:80,192.0.2.1/32')
    const kernel = parseSets(
      'create n hash:ip,port,net family inet hashsize 2048 maxelem 65536 bucketsize 12 initval 0x1\nadd n 10.0.0.1,tcp:80,192.0.2.1',
    )
    expect(canonicalSets(ours)).toEqual(canonicalSets(kernel))
    const larger = parseSets('create n hash:ip,port,net family inet hashsize 1024 maxelem 131072\nadd n 10.0.0.1,tcp:80,192.0.2.1')
    expect(canonicalSets(larger)).not.toEqual(canonicalSets(kernel))
  })

  test.each([
    ['Name: KUBE-CLUSTER-IP', /nothing that ipset save prints/],
    ['add x 10.0.0.1', /there is no set x above/],
    ['create x hash:ip family inet\ncreate x hash:ip family inet', /line 2: set x is created twice/],
    ['create x', /nothing that ipset save prints/],
  ])('%s is refused', (text, message) => {
    expect(() => parseSets(text)).toThrow(message)
  })
})

describe('ip -o addr show kube-ipvs0', () => {
  test('addresses of both families, but not the link-local one', () => {
    const dump = `7: kube-ipvs0    inet 172.30.0.1/32 scope global kube-ipvs0\\       valid_lft forever preferred_lft forever
7: kube-ipvs0    inet 203.0.113.7 peer 203.0.113.8/32 scope global kube-ipvs0\\       valid_lft forever preferred_lft forever
7: kube-ipvs0    inet6 fd00:10:96::a/128 scope global \\       valid_lft forever preferred_lft forever
7: kube-ipvs0    inet6 fe80::1c2b:3fff:fe4d:5e6f/64 scope link proto kernel_ll \\       valid_lft forever preferred_lft forever
`
    expect([...parseAddresses(dump)]).toEqual(['172.30.0.1', '203.0.113.7', 'fd00:10:96::a'])
  })

  test.each([
    ['2: eth0    inet 192.168.0.2/24 scope global eth0', /on eth0, not on kube-ipvs0/],
    ['7: kube-ipvs0: <BROADCAST,NOARP> mtu 1500', /neither an address nor a line of ip -o addr/],
    ['    inet 172.30.0.1/32 scope global kube-ipvs0', /neither an address/],
  ])('%s is refused', (text, message) => {
    expect(() => parseAddresses(text)).toThrow(message)
  })
})
