import { Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { readId } from '../../domain/identifiers.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import type { ResetDependencies } from '../../merchants/reset.ts'
import { readMerchantId } from '../../parsing/control/read.ts'
import type { StoryEntry } from '../../serializers/story/entries.ts'
import { readStory } from '../../serializers/story/read-story.ts'
import { ownerOfTransaction } from '../../storage/transactions.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { Assets } from '../pages/assets.ts'
import { sendHtml } from '../pages/page.ts'
import { storyFile } from '../pages/story.ts'

export interface StoryControlDependencies
  extends Pick<ResetDependencies, 'database' | 'keptRequests'> {
  readonly authenticator: Authenticator
  readonly assets: Assets
}

/**
 * Serves `/_control/stories/<id>`: the story of a payment, as one page of HTML without external
 * resources, or as JSON.
 */
export function storyControl({
  database,
  keptRequests,
  authenticator,
  assets,
}: StoryControlDependencies): Router {
  const router = Router()
  router.get('/:id', async (request, response) => {
    const [, id = '', isData] = /^(.*?)(\.json)?$/.exec(request.params.id) ?? []
    const { story, merchant } = await find(
      readId(id),
      readMerchantId(exchangeOf(response).parameters),
    )
    if (isData) return void response.json({ ...story, entries: story.entries.map(presentEntry) })
    const now = exchangeOf(response).nowOf(merchant.id)
    sendHtml(
      response,
      await storyFile(assets, [story], { title: `Transaction ${story.id}`, now }),
      { policy: POLICY },
    )
  })
  return router

  /** @throws errors.transaction.not_found (128) */
  async function find(id: number | undefined, merchantId: number | undefined) {
    await keptRequests.settle()
    const owner = id === undefined ? undefined : await ownerOfTransaction(database.db, id)
    const merchant = owner === undefined ? undefined : await authenticator.find(owner)
    const story = merchant && (await readStory(database.db, merchant, id))
    if (!story || !merchant || (merchantId ?? owner) !== owner)
      throw new GatewayError('errors.transaction.not_found', {
        explain: 'There is no transaction with this id.',
      })
    return { story, merchant }
  }
}

/** With milliseconds: a clock may be frozen between seconds. */
const presentEntry = ({ at, arrow: _arrow, isPlumbing: _isPlumbing, ...entry }: StoryEntry) => ({
  at: new Date(at).toISOString(),
  ...entry,
})

/** The page contains its styles, and loads nothing. */
const POLICY = { 'style-src': ["'unsafe-inline'"] }
