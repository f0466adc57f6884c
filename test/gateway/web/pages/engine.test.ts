import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assetsIn } from '../../../../mock-gateway/web/pages/assets.ts'
import { createRender } from '../../../../mock-gateway/web/pages/engine.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'views-'))
  await writeFile(join(folder, 'own.css'), 'p { color: red }')
})
afterAll(() => rm(folder, { recursive: true }))

let views = 0

/** Renders a view with this text. */
async function render(
  text: string,
  data: object,
  filters: Parameters<typeof createRender>[3] = {},
) {
  const view = `view-${++views}`
  await writeFile(join(folder, `${view}.liquid`), text)
  return createRender(folder, assetsIn(folder), '', filters)(view, data)
}

test('values printed by a view are escaped', async () => {
  expect(await render('{{ name }}', { name: '<b a="1">&' })).toBe('&lt;b a=&#34;1&#34;&gt;&amp;')
})

test('a view sees what it is given, not what every object has', async () => {
  expect(await render('{{ user.name }}', { user: { name: 'Kim' } })).toBe('Kim')
  await expect(render('{{ user.constructor }}', { user: {} })).rejects.toThrow('undefined variable')
})

test('a view that names what it is not given fails', async () => {
  await expect(render('{{ nobody }}', {})).rejects.toThrow('undefined variable: nobody')
})

test('a view with an unknown filter fails', async () => {
  await expect(render('{{ 1 | shout }}', {})).rejects.toThrow('undefined filter: shout')
  const shout = (text: string) => text.toUpperCase()
  expect(await render('{{ name | shout }}', { name: 'kim' }, { shout })).toBe('KIM')
})

test('a view finds assets by their path', async () => {
  expect(await render("{{ 'own.css' | asset }}", {})).toMatch(/^\/assets\/own\.[0-9a-f]{16}\.css$/)
  await expect(render("{{ 'other.css' | asset }}", {})).rejects.toThrow(
    'The pages have no other.css',
  )
})
