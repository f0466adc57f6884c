/**
 * Baselines of the measurements. `node echo.ts` is a bare Express app that answers with the
 * received parameters. `node echo.ts <file>` first commits them as one row of an SQLite file, as
 * durably as the gateway. `/<n>` pads the answer to n bytes.
 */
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import express from 'express'

function openRows(file: string) {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(
    'create table rows (id integer primary key autoincrement, parameters text not null)',
  )
  return database.prepare('insert into rows (parameters) values (?)')
}

const [file] = process.argv.slice(2)
const rows = file === undefined ? undefined : openRows(file)

const app = express()
app.use(express.urlencoded())
app.all('/:bytes', (request, response) => {
  const parameters = JSON.stringify(request.body ?? {})
  rows?.run(parameters)
  response.type('json').send(parameters.padEnd(Number(request.params.bytes)))
})
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://localhost:${(server.address() as AddressInfo).port}\n`)
})
