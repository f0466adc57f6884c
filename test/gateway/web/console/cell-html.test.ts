import { expect, test } from 'vitest'
import { CELL_FILTERS } from '../../../../mock-gateway/web/console/cell-html.ts'
import { copied, link, plain, status, time } from '../../../../mock-gateway/web/console/cells.ts'

const { cell, cells } = CELL_FILTERS as unknown as Record<string, { readonly handler: (...given: unknown[]) => string }>

test('a cell has one element for what it is, and none that its texts make', () => {
  const written = [copied(link(7, '/a?b&c')), time('2026-04-01T12:00:00Z'), status('approved'), plain('<b>"\'')]
  expect(written.map((each) => cell?.handler(each))).toEqual([
    '<a href="/a?b&amp;c" data-copy>7</a>',
    '<time datetime="2026-04-01T12:00:00Z">2026-04-01 12:00:00</time>',
    '<span class="status good">approved</span>',
    '&lt;b&gt;&quot;&#39;',
  ])
})

test('a row says of each cell what stands above it', () => {
  expect(cells?.handler([plain('1'), time('x'), { ...plain('2'), note: '<i>' }], ['A&B', 'C', 'D'])).toBe(
    '<td data-head="A&amp;B">1</td><td data-head="C" class="number"><time datetime="x">x</time></td>' +
      '<td data-head="D">2<span class="note">&lt;i&gt;</span></td>',
  )
})
