import type { Context, Liquid, Template, Token } from 'liquidjs'

type Liquidjs = typeof import('liquidjs')

/** A context as it is: the types keep this to the library. */
interface Scopes {
  /** Where a name stands, the innermost first. */
  findScope(name: string): object
}

/**
 * Lets the values of views be read at once. Liquid reads each by half a dozen generators, since it might have to wait
 * for one; that was more than a third of what a payment page takes. What is not there, and whatever is more than names,
 * texts, comparisons and filters, Liquid reads as before, and says what is missing.
 */
export function readAtOnce(liquid: Liquidjs): Liquidjs {
  const { Value, TypeGuards, toValueSync } = liquid

  /** @returns undefined when Liquid has to read it itself */
  function read(token: Token, context: Context): unknown {
    if (TypeGuards.isOperatorToken(token)) return undefined
    if ('content' in token) return token.content
    if (!TypeGuards.isPropertyAccessToken(token) || token.variable) return undefined
    let found: unknown
    for (const prop of token.props) {
      const name = read(prop, context) as string | undefined
      if (name === undefined) return undefined
      const within = prop === token.props[0] ? (context as unknown as Scopes).findScope(name) : found
      found = context.readProperty(within as object, name)
      if (found === undefined) return undefined
    }
    return found
  }

  function evaluate(postfix: readonly Token[], context: Context): unknown {
    const operands: unknown[] = []
    for (const token of postfix)
      if (TypeGuards.isOperatorToken(token)) {
        const operator = context.opts.operators[token.operator] as (...all: unknown[]) => unknown
        const right = operands.pop()
        const both = token.operator === 'not' ? [right] : [operands.pop(), right]
        operands.push(toValueSync(operator(...both, context) as IterableIterator<unknown>))
      } else {
        const value = read(token, context)
        if (value === undefined) return undefined
        operands.push(value)
      }
    return operands[0]
  }

  const { value: asBefore } = Value.prototype
  Value.prototype.value = function (context, lenient) {
    let value = context.sync ? evaluate(this.initial.postfix, context) : undefined
    if (value === undefined) return asBefore.call(this, context, lenient)
    for (const filter of this.filters) value = toValueSync(filter.render(value, context))
    return value as ReturnType<typeof asBefore>
  }
  return liquid
}

/** What stands between the tags of a view. */
interface Html extends Template {
  readonly str: string
}

/** Lets an engine render the parts of a view one after the other, where none can have to wait, and look at no clock between. */
export function renderAtOnce(engine: Liquid, { TypeGuards, toValueSync, LiquidError, RenderError }: Liquidjs): void {
  const { renderer } = engine
  const isHtml = (template: Template): template is Html => TypeGuards.isHTMLToken(template.token)
  const asBefore = renderer.renderTemplates
  renderer.renderTemplates = (templates, context, emitter) => {
    if (!context.sync || !emitter) return asBefore.call(renderer, templates, context, emitter)
    for (const template of templates) {
      if (isHtml(template)) emitter.write(template.str)
      else
        try {
          const html = toValueSync(template.render(context, emitter) as IterableIterator<unknown>)
          if (html) emitter.write(html)
        } catch (error) {
          throw LiquidError.is(error) ? error : new RenderError(error as Error, template)
        }
      if (context.breakCalled || context.continueCalled) break
    }
    return emitter.buffer as unknown as ReturnType<typeof asBefore>
  }
}
