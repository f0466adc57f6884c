import { asGatewayError, writeRefusal } from '../http/refuse.ts'
import { refusalView } from './frame.ts'
import type { Onward, View, Visit } from './visit.ts'

/** What a view shows of a refusal, above the form that was refused. */
export type Problem = View['data']

/**
 * Does what a form asks for; where that is refused, shows the form as it was filled in.
 * @param again makes the page of the form, with what is wrong
 */
export async function orAgain(
  { response }: Visit,
  act: () => Promise<Onward>,
  again: (problem: Problem) => Promise<View>,
): Promise<Onward | View> {
  try {
    return await act()
  } catch (error) {
    const refusal = asGatewayError(error)
    if (refusal.http === 500) throw error
    writeRefusal(response, refusal)
    return again(refusalView(refusal).data)
  }
}
