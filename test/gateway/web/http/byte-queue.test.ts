import { expect, test } from 'vitest'
import { type ByteQueue, byteQueue } from '../../../../mock-gateway/web/http/byte-queue.ts'

const all = (queue: ByteQueue) => {
  const texts: string[] = []
  for (let next = queue.shift(); next; next = queue.shift()) texts.push(next.join('|'))
  return texts
}

test('what was put in first comes out first, in its two parts, whatever it is written in', () => {
  const queue = byteQueue(100)
  queue.push('ängström', Buffer.from('1 €'))
  queue.push('two', '')
  expect(queue.length).toBe(2)
  expect(all(queue)).toEqual(['ängström|1 €', 'two|'])
  expect(queue.length).toBe(0)
})

test('the first give way, and nothing else is lost, however often the circle is gone round', () => {
  const queue = byteQueue(100)
  const lengths = [10, 33, 7, 1, 60, 20, 5]
  const texts = Array.from({ length: 500 }, (_, turn) => `${turn}`.padEnd(lengths[turn % lengths.length] ?? 0, '.'))
  let taken = 0
  for (const [turn, text] of texts.entries()) {
    queue.push(text, '')
    taken = Math.max(taken, turn + 1 - queue.length)
    if (turn % 11 === 0) expect(queue.shift()?.[0]).toBe(texts[taken++])
    expect(queue.length).toBe(turn + 1 - taken)
  }
  expect(all(queue)).toEqual(texts.slice(taken).map((text) => `${text}|`))
})

test('none gives way while all have room together, wherever the circle has got to', () => {
  const queue = byteQueue(800)
  const texts = Array.from({ length: 25 }, (_, turn) => `${turn}`.padEnd(20, '.'))
  for (const text of texts.slice(0, 7)) expect(queue.push(text, '')).toBe(true)
  for (let turn = 0; turn < 4; turn += 1) queue.shift()
  for (const text of texts.slice(7)) expect(queue.push(text, text)).toBe(true)
  expect(all(queue)).toEqual([
    ...texts.slice(4, 7).map((text) => `${text}|`),
    ...texts.slice(7).map((text) => `${text}|${text}`),
  ])
})

test('what is larger than all the room is left out', () => {
  const queue = byteQueue(10)
  expect(queue.push('small', '')).toBe(true)
  expect(queue.push('too large for it', '')).toBe(false)
  expect(all(queue)).toEqual(['small|'])
})

test('the first can go unread', () => {
  const queue = byteQueue(10)
  queue.push('1', 'a')
  queue.push('2', 'b')
  queue.drop()
  expect(all(queue)).toEqual(['2|b'])
})
