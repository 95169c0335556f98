$ node dist/cli/uptrail.cjs probe dns txt.test --record-type txt --expect "v=spf1 -all" "two"
ok

txt.test. TXT
  v=spf1 -alltwo

server    127.0.0.53:53, over udp
answer    NOERROR after 6 ms
good for  0 s
DNSSEC    not validated
[0]
$ node dist/cli/uptrail.cjs probe dns nope.test
failed: nope.test does not exist (NXDOMAIN, says 127.0.0.53:53).

nope.test. A

server  127.0.0.53:53, over udp
answer  NXDOMAIN after 2 ms
DNSSEC  not validated
[1]
$ node dist/cli/uptrail.cjs probe dns www.test --record-type aaaa
failed: www.test does not exist (NXDOMAIN, says 127.0.0.53:53).

www.test. AAAA

server  127.0.0.53:53, over udp
answer  NXDOMAIN after 2 ms
DNSSEC  not validated
[1]
$ node dist/cli/uptrail.cjs probe dns 192.0.2.1 --record-type ptr
ok

1.2.0.192.in-addr.arpa. PTR
  multi.test.

server    127.0.0.53:53, over udp
answer    NOERROR after 2 ms
good for  0 s
DNSSEC    not validated
[0]
