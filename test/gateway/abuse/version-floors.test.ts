import { expect, test } from 'vitest'
import lockfile from '../../../package-lock.json' with { type: 'json' }

/**
 * Minimum versions of packages. Older versions have known security holes that requests or templates
 * can reach (attack 100).
 */
test.each([
  ['liquidjs', '10.27.2', 'CVE-2026-45618 runs code from a template'],
  ['express', '5.3.0', 'regular expressions of path-to-regexp before version 8'],
  ['qs', '6.14.1', 'CVE-2025-15284 and CVE-2026-2391, lists without end'],
  ['body-parser', '2.2.1', 'CVE-2025-13466, a body that takes all time'],
] as const)('the version of %s is at least %s: %s', (name, floor, _why) => {
  const { version } = lockfile.packages[`node_modules/${name}`]
  expect(version.localeCompare(floor, 'en', { numeric: true })).toBeGreaterThanOrEqual(0)
})
