/** `npm run lab -- <name> [arguments]`: runs one instrument; without a name it lists them. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { INSTRUMENTS, listInstruments } from './instruments.ts'

const [name = ''] = process.argv.slice(2)
const instrument = Object.hasOwn(INSTRUMENTS, name) ? INSTRUMENTS[name] : undefined
if (!instrument) {
  process.stdout.write(`Usage: npm run lab -- <name> [arguments]\n\n${listInstruments()}\n`)
  process.exit(name === '' ? 0 : 2)
}
if (instrument.needsBuild) {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { status } = spawnSync('npm run --silent build', {
    cwd: root,
    shell: true,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
// Moves the arguments to the position where a separate program would read them.
process.argv.splice(1, 2, fileURLToPath(new URL(instrument.file, import.meta.url)))
await import(instrument.file)
