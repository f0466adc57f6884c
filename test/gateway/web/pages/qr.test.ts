import { expect, test } from 'vitest'
import { createQrCode, renderQrPicture } from '../../../../mock-gateway/web/pages/qr.ts'

test('an address that is too long for a camera gets no QR code', () => {
  expect(createQrCode('x'.repeat(501))).toBeUndefined()
  expect(renderQrPicture('x'.repeat(501), 'QR code', 100)).toBeNull()
})

test('a QR code has its three corners and a white border', () => {
  const { size, path } = createQrCode('http://localhost:4400/pay/abcdefgh2345') ?? {
    size: 0,
    path: '',
  }
  expect(size).toBe(37)
  const isDark = (x: number, y: number) => path.includes(`M${x} ${y}h1`)
  for (const [x, y] of [
    [4, 4],
    [size - 11, 4],
    [4, size - 11],
  ] as const)
    expect([isDark(x - 1, y), isDark(x, y), isDark(x + 1, y + 1), isDark(x + 3, y + 3)]).toEqual([
      false,
      true,
      false,
      true,
    ])
  // This module is always dark (ISO/IEC 18004, 7.9.1). In a mirrored code it would be at another
  // place.
  expect(isDark(12, size - 12)).toBe(true)
})
