import { withMarkedControls } from '../../domain/characters.ts'
import type { Entry } from '../../serializers/story/entries.ts'
import type { Story } from '../../serializers/story/story.ts'
import { wireTime } from '../../serializers/time.ts'
import type { Render } from './engine.ts'

/** What `pages/story.liquid` shows of a story. @param linkOf where all of an entry is; left out, it leads nowhere */
export const storyData = (story: Story, linkOf: (of: NonNullable<Entry['of']>) => string | null = () => null) => ({
  story,
  entries: story.entries.map(({ of, ...entry }) => ({
    ...entry,
    when: new Date(entry.at).toISOString().slice(0, 19).replace('T', ' '),
    moment: wireTime(entry.at),
    to: of ? linkOf(of) : null,
  })),
})

/** Stories as a file: one page of HTML that loads nothing, to attach to a bug or to keep of a failed run. */
export const storyFile = async (
  render: Render,
  stories: readonly Story[],
  { title, now, leftOut = 0 }: { readonly title: string; readonly now: number; readonly leftOut?: number },
): Promise<string> =>
  withMarkedControls(
    await render('pages/story_file', {
      title,
      made: `As it was at ${wireTime(now)} by the gateway's clock. All times are UTC. It holds no secrets and no card numbers.`,
      stories: stories.map((story) => storyData(story)),
      left_out: leftOut,
    }),
  )
