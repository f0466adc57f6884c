/** A related object, given by its id only unless `extend` asked for more (specification: Resources; observed: 6.8). */
export interface Reference {
  readonly id: number
}

/** Free-form JSON object of the merchant (specification: Metadata). */
export type Metadata = { readonly [key: string]: unknown }
