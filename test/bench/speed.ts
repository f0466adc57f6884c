import { type Plan, ratio, takeTurns } from './compare.ts'
import { startReferences } from './references.ts'
import { printFigure, printScores, type Scores } from './report.ts'
import { encryptedCreate, plainCreate, type RequestMaker, readOne } from './requests.ts'
import { type Server, startGatewayWithKey } from './servers.ts'

/** Creating a payment from clear card data, the one with an aim. */
export async function measureCreate(plan: Plan): Promise<void> {
  const scores = await besideReferences('Create a payment', plan, plainCreate)
  const share = ratio(scores.gateway, scores['echo + one committed row'])
  printFigure('create, as a share of echo + row', share, '', { atLeast: 0.7 })
}

/** Creating a payment whose five card fields are encrypted. */
export async function measureEncrypted(plan: Plan): Promise<void> {
  await besideReferences('Create a payment with five encrypted fields', plan, encryptedCreate)
}

const READ = 1_000

/** Reading one transaction of a thousand. */
export async function measureGet(plan: Plan): Promise<void> {
  const fill = ({ load }: Server) => load.run({ requests: READ }, () => plainCreate())
  await besideReferences('Get one transaction', plan, readOne(READ), fill)
}

/** Measures a new gateway beside both references, and prints what came out. */
async function besideReferences(
  title: string,
  plan: Plan,
  make: RequestMaker,
  prepare?: (gateway: Server) => Promise<unknown>,
) {
  const gateway = await startGatewayWithKey(plan.connections)
  await prepare?.(gateway)
  const references = await startReferences(plan, gateway, make)
  const contestants = { ...references.contestants, gateway: { load: gateway.load, next: () => make() } }
  const scores = (await takeTurns(contestants, plan)) satisfies Scores
  await Promise.all([gateway.stop(), references.stop()])
  printScores(title, scores)
  return scores
}
