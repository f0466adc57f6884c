import { html, type SafeHtml } from '../../pages/html.ts'
import { cell } from './cell.ts'
import type { Cell } from './cells.ts'

/** A field with its value. */
export interface Fact extends Cell {
  readonly name: string
}

/** Renders the few fields that identify an object, next to each other. */
export const factSummary = (facts: readonly Fact[]): SafeHtml =>
  html`<dl class="summary">${facts.map(
    (fact) => html`<div><dt>${fact.name}</dt><dd>${cell(fact)}</dd></div>`,
  )}</dl>`

/** Renders fields with their values. */
export const factList = (facts: readonly Fact[]): SafeHtml =>
  html`<dl class="facts">${facts.map(
    (fact) => html`<div><dt>${fact.name}</dt><dd>${cell(fact)}</dd></div>`,
  )}</dl>`
