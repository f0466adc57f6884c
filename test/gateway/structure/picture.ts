const WIDTH = 720
const HEIGHT = 34
const GAP = 4
const LEFT = 26

/** Draws a layer, with its modules side by side. */
function layer(modules: readonly string[], index: number): string {
  const width = (WIDTH - LEFT + GAP) / modules.length - GAP
  return modules
    .map((module, place) => {
      const [x, y] = [LEFT + place * (width + GAP), index * (HEIGHT + GAP)].map(Math.round)
      // In a layer with many modules, their common folder is drawn above each name.
      const words = modules.length > 3 ? module.split(/(?<=\/)/) : [module]
      const lines = words.map(
        (word, line) =>
          `<tspan x="${Math.round((x ?? 0) + width / 2)}" dy="${line === 0 ? (words.length > 1 ? -3 : 4) : 13}">${word}</tspan>`,
      )
      return [
        `<rect x="${x}" y="${y}" width="${Math.round(width)}" height="${HEIGHT}" rx="4" fill="#eef3f8" stroke="#5a7187"/>`,
        `<text y="${(y ?? 0) + HEIGHT / 2}">${lines.join('')}</text>`,
      ].join('\n')
    })
    .join('\n')
}

/**
 * Draws the layers of the gateway from top to bottom as an SVG picture, with an arrow for the
 * direction of imports.
 */
export function picture(layers: readonly (readonly string[])[]): string {
  const height = layers.length * (HEIGHT + GAP) - GAP
  const arrow = `<path d="M10 2V${height - 3}M4 ${height - 10}L10 ${height - 3}L16 ${height - 10}" fill="none" stroke="#5a7187" stroke-width="2"/>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 ${WIDTH + 16} ${height + 16}" font-family="sans-serif" font-size="12" text-anchor="middle">`,
    '<title>The layers of the gateway, and the modules on each</title>',
    `<rect x="-8" y="-8" width="${WIDTH + 16}" height="${height + 16}" fill="#fff"/>`,
    arrow,
    ...layers.map(layer),
    '</svg>\n',
  ].join('\n')
}
