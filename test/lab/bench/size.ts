import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { print, printFigure } from './report.ts'
import { freshPath, startGateway } from './servers.ts'

const JQUERY = new URL('../../../node_modules/jquery/dist/jquery.min.js', import.meta.url)

/**
 * Measures the download of the library, compared with jQuery.
 * @returns the ratio
 */
export async function measureSize(): Promise<number> {
  const gateway = await startGateway(1, freshPath())
  const address = `http://127.0.0.1:${gateway.port}/v2/mondido.js?merchant_id=1`
  const served = await fetch(address, { headers: { 'accept-encoding': 'gzip' } })
  await gateway.stop()
  const [own, other] = [
    Number(served.headers.get('content-length')),
    gzipSync(readFileSync(JQUERY)).length,
  ]
  print('\nWhat a page loads, compressed')
  printFigure('/v2/mondido.js', own, 'bytes', { atMost: 18_000 })
  printFigure('jquery.min.js', other, 'bytes')
  printFigure('the library as a share of jQuery', own / other, '')
  return own / other
}
