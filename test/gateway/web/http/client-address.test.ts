import { expect, test } from 'vitest'
import { findClientAddress } from '../../../../mock-gateway/web/http/client-address.ts'

const of = (remoteAddress: string | undefined) =>
  findClientAddress({ socket: { remoteAddress } } as never)

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  [undefined, ''],
])('a client at %s is counted as %s', (remote, address) => expect(of(remote)).toBe(address))
