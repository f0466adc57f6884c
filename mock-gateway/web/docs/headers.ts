import { type Answer, at, type Call, type Contract, type Header, part } from './contract.ts'
import { type ExplainedType, explainType, type TypeText, typeOf } from './types.ts'

/** A response header; one with several meanings has a row for each. */
export interface HeaderRow extends TypeText, ExplainedType {
  readonly name: string
  /** True if a row above has the same name. */
  readonly again: boolean
}

/** Lists every header of these calls' responses, in alphabetical order. */
export function headerRows(contract: Contract, calls: readonly Call[]): HeaderRow[] {
  const rows = new Map(calls.flatMap((call) => headersOf(contract, call)))
  const inOrder = [...rows.values()].toSorted((one, other) => one.name.localeCompare(other.name))
  return inOrder.map((row, index) => ({ ...row, again: inOrder[index - 1]?.name === row.name }))
}

/** Returns headers by their place in the document, so that each is listed once. */
function headersOf(contract: Contract, { pointer, operation }: Call) {
  return Object.keys(operation.responses).flatMap((status) => {
    const answer = at<Answer>(contract, `${pointer}/responses/${status}`)
    return Object.keys(answer.value.headers).map((name) => {
      const { value, pointer: where } = at<Header>(
        contract,
        `${answer.pointer}/headers${part(name)}`,
      )
      const { description, schema, example } = value
      const described = {
        ...schema,
        description,
        ...(example === undefined ? {} : { examples: [example] }),
      }
      return [
        where,
        { name, ...explainType(contract, described), ...typeOf(contract, schema) },
      ] as const
    })
  })
}
