import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes of one half of the space for new objects: with more the gateway is no quicker (decision 8). */
const ENOUGH = 16 * 1024 * 1024

/** Milliseconds between two looks: while it can still grow, and when it can only have shrunk. */
const SOON_MS = 50
const LATER_MS = 1_000

/**
 * Keeps V8 from giving 64 MB to each half of the space for new objects, which together is half of what a gateway under
 * load takes. How large they may be is asked for before V8 runs, where a command has no say; by how much they grow, once
 * enough objects have lived on, is asked for each time.
 */
export function keepNewSpaceSmall(): void {
  const factor = growthFactor(newSpaceHalf())
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)
  setTimeout(keepNewSpaceSmall, factor > 1 ? SOON_MS : LATER_MS).unref()
}

/** What takes a half of so many bytes to `ENOUGH` in one step; 1 leaves it as it is. V8 shrinks it when little happens. */
export const growthFactor = (bytes: number): number => Math.max(1, Math.round(ENOUGH / bytes))

/** Bytes of the half that new objects are put into, but for what V8 notes in it. */
export function newSpaceHalf(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return space ? space.space_used_size + space.space_available_size : ENOUGH
}
