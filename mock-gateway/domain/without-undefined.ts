/** An object without the members that are undefined. */
export type WithoutUndefined<Members extends object> = {
  readonly [Name in keyof Members]?: Exclude<Members[Name], undefined>
}

/** Leaves out the members that are undefined. */
export const removeUndefined = <Members extends object>(
  members: Members,
): WithoutUndefined<Members> =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<Members>
