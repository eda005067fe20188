import { printStyle } from './style-print.ts'
import { sectionStyle } from './style-sections.ts'

// Text reaches 7:1 on its ground, marks and muted text 4.5:1, borders of controls 3:1, in light and in dark.
const colours = `
:root {
  color-scheme: light dark;
  --ground: #fff; --raised: #f5f6f8; --line: #d8dce1; --edge: #767e88;
  --text: #14181d; --muted: #505a66; --link: #0b4f9e;
  --ok: #0a6b3b; --warning: #835000; --failed: #b0151f; --pending: #1b55ad; --skip: #5b6570;
  --ok-ground: #eaf6ef; --warning-ground: #fdf3df; --failed-ground: #fdeeee; --pending-ground: #ecf2fc;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, "Cascadia Mono", Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) { :root {
  --ground: #0f1216; --raised: #181c22; --line: #2d343d; --edge: #77818d;
  --text: #e9ecef; --muted: #a4aeb9; --link: #8fbcff;
  --ok: #5fd295; --warning: #f2b850; --failed: #ff8a83; --pending: #8fbcff; --skip: #9aa5b1;
  --ok-ground: #10241a; --warning-ground: #2a2010; --failed-ground: #2e1416; --pending-ground: #121f36;
} }
@media (prefers-contrast: more) { :root { --muted: var(--text); --line: var(--edge); } }
.ok { --state: var(--ok); --state-ground: var(--ok-ground); }
.warning { --state: var(--warning); --state-ground: var(--warning-ground); }
.failed { --state: var(--failed); --state-ground: var(--failed-ground); }
.pending { --state: var(--pending); --state-ground: var(--pending-ground); }
.pass { --mark: var(--ok); }
.warn { --mark: var(--warning); }
.fail { --mark: var(--failed); }
.skip { --mark: var(--skip); }
`

const base = `
*, *::before, *::after { box-sizing: border-box; }
html { font-size: clamp(1rem, .5625rem + .547vw, 2.5rem); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 var(--sans); overflow-wrap: anywhere; }
h1, h2, h3, p, dl, dd, ol, ul { margin: 0; padding: 0; font-size: 1rem; }
ul { list-style: none; }
code { font: .9375em/1.5 var(--mono); unicode-bidi: isolate; }
a { color: var(--link); text-underline-offset: .2em; }
:focus-visible { outline: .1875rem solid var(--link); outline-offset: .1875rem; border-radius: .125rem; }
[tabindex="-1"]:focus { outline: none; }
[hidden] { display: none; }
main, footer, header.top { padding-inline: max(1rem, 50vw - 46rem); }
section { min-width: 0; }
h2 { font-size: 1.25rem; line-height: 1.3; font-weight: 600; letter-spacing: -.01em; }
.icon { width: 1em; height: 1em; flex: none; fill: currentColor; }
.none, .note, .from, .beat, .took, .count, small, dt { color: var(--muted); }
.none { font-style: italic; }
.note { margin-top: .25rem; }
.hidden {
  padding: .1em .3em; margin-inline: .15em; border: 1px solid; border-radius: .2em;
  font: 700 .75em/1 var(--mono); white-space: nowrap;
}
.tag { font-size: .8125em; padding: .1em .45em; border: 1px solid var(--edge); border-radius: .25em; }
button, summary { font: inherit; color: inherit; min-height: 2.25rem; cursor: pointer; }
button { padding: .25rem .9rem; background: var(--ground); border: 1px solid var(--edge); border-radius: .3rem; }
button:hover { background: var(--raised); }
.skip-link { position: absolute; inset: .5rem auto auto .5rem; z-index: 2; padding: .5rem 1rem; background: var(--ground); }
.skip-link:not(:focus) { clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; padding: 0; }
`

/** The page's style, inlined and known to the browser by its hash. */
export const pageStyle = `${colours}${base}${sectionStyle}${printStyle}`
