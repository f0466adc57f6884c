type Sample<Name extends string> = Readonly<Record<Name, number>>

/**
 * Returns the increase of the mean from the middle third of the samples to the last third. A leak
 * causes an increase; memory that is allocated once does not.
 * @param samples at equal intervals; at least three
 * @returns a negative number if the mean decreased
 */
function growthOf<Name extends string>(samples: readonly Sample<Name>[], name: Name): number {
  const third = Math.floor(samples.length / 3)
  const mean = (part: readonly Sample<Name>[]) =>
    part.reduce((sum, sample) => sum + sample[name], 0) / part.length
  return mean(samples.slice(-third)) - mean(samples.slice(-2 * third, -third))
}

/**
 * Describes each value that increases by more than allowed.
 * @param most allowed increase of each value
 */
export function rising<Name extends string>(
  samples: readonly Sample<NoInfer<Name>>[],
  most: Sample<Name>,
): string[] {
  return (Object.keys(most) as Name[])
    .filter((name) => growthOf(samples, name) > most[name])
    .map(
      (name) =>
        `${name} rose by ${Math.round(growthOf(samples, name))} from the middle third of the run to the last`,
    )
}
