import {
  type Job,
  type RenderedTemplate,
  render,
  TemplateRenderError,
} from '../../../mock-gateway/templates/engine.ts'

const job = (source: string, variables: object, over: Partial<Job>): Job => ({
  mode: 'page',
  source,
  partials: {},
  variables: JSON.stringify(variables),
  own: ['https://pay.example'],
  ...over,
})

/** Renders a template in this thread. Returns the page and the problems that the merchant sees. */
export const renderPage = (
  source: string,
  variables: object = {},
  over: Partial<Job> = {},
): RenderedTemplate => render(job(source, variables, over))

/** Returns the rendered page. */
export const shown = (source: string, variables: object = {}, over: Partial<Job> = {}): string =>
  renderPage(source, variables, over).text

/** Returns the problems of a template, each with its line, whether it can be rendered or not. */
export function problemsOf(source: string, over: Partial<Job> = {}): string[] {
  const told = ({ problems }: Pick<RenderedTemplate, 'problems'>) =>
    problems.map(({ line, message }) => `${line}: ${message}`)
  try {
    return told(render(job(source, {}, { check: 'page', ...over })))
  } catch (error) {
    if (error instanceof TemplateRenderError) return told(error)
    throw error
  }
}
