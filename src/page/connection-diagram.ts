import type { DiagnosticsReport } from '../lib/diagnostics/report.ts'
import { html, trusted, type Content, type Markup } from './html.ts'
import { checkIcon, glyphPath } from './icons.ts'
import { nodesOf, nodesText, type DiagramNode } from './nodes.ts'

/** The middle of a station. */
interface Spot {
  readonly x: number
  readonly y: number
}

/** From left to right, the three services fanned out; for a screen of a laptop or a wall, and for paper. */
const wide: readonly Spot[] = [
  ...[84, 276, 468, 668].map((x) => ({ x, y: 70 })),
  ...[20, 70, 120].map((y) => ({ x: 872, y })),
]

/** From top to bottom, for a phone. */
const tall: readonly Spot[] = Array.from({ length: 7 }, (_, index) => ({ x: 30, y: 30 + index * 70 }))

/** The first four stand on the main line, with their words below them when it runs from left to right. */
const onMainLine = 4
const radius = (index: number): number => (index < onMainLine ? 26 : 17)
const shift = (index: number): number => (index < onMainLine ? 46 : -2)
const beside = 42

/**
 * The way from this workload into the cloud, broken where it breaks: without colour and script, and with a text of its own. The tall drawing
 * uses the stations and words of the wide one.
 */
export function connectionDiagram(report: DiagnosticsReport): Markup {
  const stations = nodesOf(report)
  const height = stations.slice(0, onMainLine).some(({ trouble }) => trouble !== undefined) ? 158 : 143
  return html`<section class="picture">
    <p id="way" hidden>The way from this workload to the cloud: ${nodesText(stations)}</p>
    <svg class="wide" viewBox="0 0 1120 ${height}" role="img" aria-labelledby="way">
      ${stations.map((station, index) => [wayTo(station, index, wide), shape(station, index), words(station, index)])}
    </svg>
    <svg class="tall" viewBox="0 0 300 480" role="img" aria-labelledby="way">
      ${stations.map((station, index) => [wayTo(station, index, tall), again(index)])}
    </svg>
  </section>`
}

/** Circle, sign and mark of a station. */
function shape({ glyph, status }: DiagramNode, index: number): Markup {
  const { x, y } = wide[index] ?? { x: 0, y: 0 }
  const scale = index < onMainLine ? '' : ' scale(.65)'
  const badge =
    status === 'pending' ? 'pending' : status === 'here' || status === 'none' ? undefined : checkIcon(status)
  return html`<g id="stop${index}" class="stop ${status}" transform="translate(${x} ${y})${scale}"
    ><circle r="26" /><path d="${glyphPath(glyph)}" />${
      badge !== undefined &&
      html`<circle class="halo" cx="19" cy="18" r="12" /><use
          href="${trusted(`#${badge}`)}"
          x="9"
          y="8"
          width="20"
          height="20"
        />`
    }</g
  >`
}

/** Name, place and trouble of a station, below or beside it. */
function words({ name, place, status, trouble }: DiagramNode, index: number): Markup {
  const { x, y } = wide[index] ?? { x: 0, y: 0 }
  const below = index < onMainLine
  const lines = html`<text class="name">${name}</text
    ><text y="15">${middleCut(place, below ? 28 : 34)}</text
    >${trouble !== undefined && html`<text class="trouble" y="30">${trouble}</text>`}`
  return html`<g
    id="words${index}"
    class="words ${status}"
    transform="translate(${below ? x : x + 30} ${y + shift(index)})"
    >${lines}</g
  >`
}

/** A station of the wide drawing at its place in the tall one. */
function again(index: number): Content {
  const [from, to] = [wide[index], tall[index]]
  if (from === undefined || to === undefined) return undefined
  const [x, y] = [to.x - from.x, to.y - from.y]
  // Words go to the right of their station, whatever its size.
  const wordsX = x + (index < onMainLine ? beside : beside - 30)
  const wordsY = y - shift(index) - 8
  return html`<use href="${trusted(`#stop${index}`)}" x="${x}" y="${y}" /><use
      href="${trusted(`#words${index}`)}"
      x="${wordsX}"
      y="${wordsY}"
    />`
}

/** The line to a station from the one before it; one that is broken has a cross in its middle. */
function wayTo({ way }: DiagramNode, index: number, spots: readonly Spot[]): Content {
  const fans = spots === wide && index >= onMainLine
  const before = fans ? onMainLine - 1 : index - 1
  const [from, to] = [spots[before], spots[index]]
  if (from === undefined || to === undefined) return undefined
  const down = from.x === to.x
  const start = (down ? from.y : from.x) + radius(before) + 7
  const end = (down ? to.y : to.x) - radius(index) - 7
  const middle = Math.round((start + end) / 2)
  const line = down
    ? `M${to.x} ${start}V${end}`
    : from.y === to.y
      ? `M${start} ${to.y}H${end}`
      : `M${start} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${end} ${to.y}`
  const [x, y] = down ? [to.x, middle] : [fans ? middle + 30 : middle, Math.round((from.y + 9 * to.y) / 10)]
  return html`<path class="way ${way}" d="${line}" />${
      way === 'fail' &&
      html`<circle class="halo" cx="${x}" cy="${y}" r="11" /><path
          class="cross fail"
          d="M${x - 6} ${y - 6}l12 12m0-12l-12 12"
        />`
    }`
}

/** A text that keeps its ends. The whole of it stands in the matrix below. */
function middleCut(text: string, most: number): string {
  const characters = Array.from(text)
  if (characters.length <= most) return text
  const keep = Math.floor((most - 1) / 2)
  return `${characters.slice(0, keep).join('')}…${characters.slice(-keep).join('')}`
}
