import { renderTemplate } from '../../../mock-gateway/templates/engine.ts'
import { prepare } from '../../../mock-gateway/templates/prepare.ts'
import { type PreviewedTemplate, previewTemplate } from '../../../mock-gateway/templates/preview.ts'

type Options = Partial<PreviewedTemplate>

/** Returns the rendered page. @throws TemplateError */
export async function shown(
  source: string,
  variables: object = {},
  { kind = 'receipt', partials = {}, own = ['https://pay.example'] }: Options = {},
): Promise<string> {
  const { prepared } = await prepare(source, kind)
  return renderTemplate({ prepared, variables, partials, own })
}

/** Renders a template, and lists its problems. */
export const previewed = (source: string, variables: object = {}, over: Options = {}) =>
  previewTemplate({ kind: 'page', source, variables, partials: {}, own: [], ...over })

/** Returns the problems of a template, each with its line, whether it can be rendered or not. */
export async function problemsOf(source: string, over: Options = {}): Promise<string[]> {
  const { problems } = await previewed(source, {}, over)
  return problems.map(({ line, message }) => `${line}: ${message}`)
}
