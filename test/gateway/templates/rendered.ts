import { type Job, type Rendered, render } from '../../../mock-gateway/templates/engine.ts'

/** Renders in this thread: what a page shows, and what its merchant is told. */
export const renderPage = (source: string, variables: object = {}, over: Partial<Job> = {}): Rendered =>
  render({
    mode: 'page',
    source,
    partials: {},
    variables: JSON.stringify(variables),
    own: ['https://pay.example'],
    ...over,
  })

/** What a page shows. */
export const shown = (source: string, variables: object = {}, over: Partial<Job> = {}): string =>
  renderPage(source, variables, over).text
