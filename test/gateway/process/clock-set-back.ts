/**
 * Loaded into a gateway's process (`--import`): SIGUSR2 sets the clock of its machine back by an
 * hour, the next one right again.
 */
const HOUR_MS = 3_600_000

const { now } = Date
let behind = 0
Date.now = () => now() - behind
process.on('SIGUSR2', () => {
  behind = HOUR_MS - behind
})
