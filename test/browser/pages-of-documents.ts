/**
 * Servers for the pages that the guide to a checkout page and sdk/README.md offer for copying. The pages are unchanged
 * except for the gateway's address.
 */
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createViteServer } from 'vite'
import { onTestFinished } from 'vitest'
import type { RunningGateway } from '../../mock-gateway/cli.ts'
import { blocksOf, inRepository } from '../helpers/documents.ts'
import { serve } from '../helpers/listening.ts'
import { freePort } from '../setup/free-port.ts'

const JQUERY = readFileSync(createRequire(import.meta.url).resolve('jquery'))

/** Serves the page of the guide to a checkout page until the test ends. Resolves with its address. */
export async function serveCheckoutPage(gateway: RunningGateway): Promise<string> {
  const [block] = blocksOf('docs/start/checkout-page.md').filter(
    ({ language }) => language === 'html',
  )
  const html = block?.code.replace('http://localhost:4400', gateway.addresses.cdn)
  const { port, close } = await serve(({ url }, response) => {
    response.setHeader('Content-Type', url === '/jquery.js' ? 'text/javascript' : 'text/html')
    response.end(url === '/jquery.js' ? JQUERY : html)
  })
  onTestFinished(close)
  return `http://localhost:${port}`
}

/**
 * Serves the page and the module of sdk/README.md with Vite until the test ends; resolves with
 * their address.
 */
export async function serveLibraryReadme(gateway: RunningGateway): Promise<string> {
  const vite = await createViteServer({
    root: await writeLibraryReadme(gateway),
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: { 'mondido-js': inRepository('sdk/index.ts') } },
    server: { port: await freePort(), fs: { strict: false } },
  })
  onTestFinished(() => vite.close())
  await vite.listen()
  return vite.resolvedUrls?.local[0] ?? ''
}

/**
 * Serves the component of docs/start/react-and-vite.md in StrictMode until the test ends; resolves
 * with its address.
 */
export async function serveReactPage(
  gateway: RunningGateway,
  order: Readonly<Record<string, string>>,
): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'react-page-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const blocks = blocksOf('docs/start/react-and-vite.md').filter(({ code }) =>
    code.startsWith('//'),
  )
  await mkdir(join(root, 'src'))
  for (const { code } of blocks)
    await writeFile(
      join(root, code.slice(3, code.indexOf('\n'))),
      code.replace('http://localhost:4400', gateway.url),
    )
  await writeFile(
    join(root, 'src/main.tsx'),
    `import { StrictMode } from 'react'
    import { createRoot } from 'react-dom/client'
    import { Checkout } from './Checkout.tsx'
    const checkout = <StrictMode><Checkout order={${JSON.stringify(order)}} /></StrictMode>
    createRoot(document.querySelector('main')).render(checkout)`,
  )
  const page = '<main></main><script type="module" src="/src/main.tsx"></script>'
  await writeFile(join(root, 'index.html'), page)
  const installed = (name: string) => inRepository(`node_modules/${name}`)
  const vite = await createViteServer({
    root,
    configFile: false,
    logLevel: 'silent',
    define: {
      'import.meta.env.VITE_PUBLIC_KEY': JSON.stringify((await readKeys(gateway)).public_key),
    },
    resolve: {
      alias: {
        'mondido-js/react': inRepository('sdk/react.ts'),
        'mondido-js': inRepository('sdk/index.ts'),
        'react-dom': installed('react-dom'),
        react: installed('react'),
      },
    },
    server: { port: await freePort(), fs: { strict: false } },
  })
  onTestFinished(() => vite.close())
  await vite.listen()
  return vite.resolvedUrls?.local[0] ?? ''
}

async function readKeys(gateway: RunningGateway): Promise<{ public_key: string }> {
  const headers = { 'x-control-key': gateway.control.key ?? '' }
  const answer = await fetch(`${gateway.url}/_control/merchants/1/keys`, { headers })
  return (await answer.json()) as { public_key: string }
}

async function writeLibraryReadme(gateway: RunningGateway): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pasted-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const { language, code } of blocksOf('sdk/README.md').filter(
    ({ language }) => language !== 'sh',
  ))
    await writeFile(
      join(folder, language === 'html' ? 'index.html' : 'main.js'),
      code.replace('http://localhost:4400', gateway.url),
    )
  await writeFile(join(folder, 'keys.json'), JSON.stringify(await readKeys(gateway)))
  return folder
}
