/** How each section looks on a screen, from 320 px to a wall. */
export const sectionStyle = `
.banner {
  position: sticky; z-index: 1; inset: 0 0 auto; padding: .25rem 1rem; text-align: center;
  font-weight: 700; letter-spacing: .06em; background: #3a4048; color: #fff;
}
.banner.bottom { position: static; }
.unclassified { background: #00693a; }
.cui { background: #502b85; }
.confidential { background: #0033a0; }
.secret { background: #c0102a; }
.top-secret { background: #ff8c00; color: #000; }
.sci { background: #fce83a; color: #000; }
.banner.top ~ * { scroll-margin-top: 3rem; }

header.top { padding-block: .75rem; background: var(--state-ground); color: var(--muted); font-size: .875rem; }
.verdict {
  background: var(--state-ground); border-bottom: .25rem solid var(--state);
  margin-inline: calc(-1 * max(1rem, 50vw - 46rem)); padding: 1rem max(1rem, 50vw - 46rem) 2.25rem;
  display: grid; gap: 2rem; align-items: end;
}
.cloud { display: flex; flex-wrap: wrap; gap: 0 .75em; align-items: baseline; font-size: 1.125rem; }
.cloud code { color: var(--muted); }
h1 {
  display: flex; align-items: center; gap: .28em; margin-block: .2em .15em; color: var(--state);
  font-size: clamp(2.25rem, 1rem + 4.5vw, 4.5rem); line-height: 1.05; font-weight: 650; letter-spacing: -.025em;
}
h1 .icon { width: .92em; height: .92em; }
h1 span { min-width: 0; overflow-wrap: break-word; }
.lead { font-size: 1.25rem; line-height: 1.4; max-width: 48rem; }
#live:not(:empty) { margin-top: 1rem; padding: .5rem .9rem; border: .125rem solid; font-weight: 600; max-width: 48rem; }
.stale.stale { --state: var(--muted); --state-ground: var(--raised); }
.facts { display: grid; gap: .6rem; }
.facts dt, .why dt { font-size: .875rem; }
.facts small, #confirmed { display: block; font-size: .875rem; color: var(--muted); }

.finding { padding-block: 2rem 0; }
.message { font-size: 1.25rem; line-height: 1.45; max-width: 64rem; }
.message .tag { color: var(--state); border-color: currentColor; }
.pair, .sign-in ol { display: grid; gap: 1.25rem 3rem; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); }
.pair { margin-top: 1.5rem; }
.pair > div { border-top: .125rem solid var(--state); padding-top: .6rem; }
.pair p { font-size: 1.125rem; margin-top: .2rem; max-width: 42rem; }

.sign-in { padding-top: 2rem; }
.sign-in ol { margin-block: .75rem 1.25rem; padding-inline-start: 1.4rem; }
.address { font-size: 1.375rem; margin-top: .3rem; }
.user-code { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1.25rem; margin-top: .3rem; }
.user-code code { font: 600 clamp(2rem, 1.2rem + 3vw, 3.5rem)/1.1 var(--mono); letter-spacing: .06em; user-select: all; }
[role=timer], .took, time { font-variant-numeric: tabular-nums; }
[role=timer] { font-weight: 600; }

.columns { padding-bottom: 2.5rem; }
.columns section { padding-top: 2.25rem; }
h3 { display: flex; align-items: center; gap: .45em; margin-top: 1.25rem; font-weight: 600; color: var(--mark); }
h3 .icon { width: 1.15em; height: 1.15em; }
.count { font-weight: 400; }
.checks li { padding-block: .55rem; border-top: 1px solid var(--line); }
h3 + .checks { margin-top: .4rem; }
.what { display: flex; justify-content: space-between; gap: 1rem; }
.what code { font-weight: 600; }
.took { flex: none; font-size: .875rem; }
.why { margin-top: .4rem; padding-inline-start: .9rem; border-inline-start: .1875rem solid var(--mark); }
.why div + div { margin-top: .35rem; }

table { width: 100%; border-collapse: collapse; margin-top: .75rem; }
th, td { text-align: start; vertical-align: baseline; padding: .4rem 0; font-weight: 400; }
thead th { font-size: .875rem; color: var(--muted); padding-block: .25rem; }
tbody tr, .rows > div { border-top: 1px solid var(--line); }
.rows { margin-top: .75rem; }
.rows > div { padding-block: .4rem; }
.value { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .75rem; }
.from { font-size: .875rem; }
.set { color: var(--text); font-weight: 600; }
.beat { font-size: .875rem; }
.result { color: var(--mark); }
.result .icon { vertical-align: -.125em; margin-inline-end: .45em; }
.placeholder { color: var(--warning); border-color: currentColor; }

footer { display: grid; gap: 2rem; padding-block: 2rem 2.5rem; background: var(--raised); border-top: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.75rem; margin-top: .4rem; }
nav a { display: inline-block; padding-block: .4rem; }
.support details { margin-block: .5rem; }
summary { width: fit-content; padding-block: .35rem; }
textarea {
  display: block; width: 100%; padding: .75rem; resize: vertical; font: .875rem/1.5 var(--mono);
  color: inherit; background: var(--ground); border: 1px solid var(--edge); border-radius: .3rem;
}

@media screen and (max-width: 47.99em) {
  table, tbody, tr, th, td { display: block; padding: 0; }
  thead { position: absolute; clip-path: inset(50%); }
  tbody tr { padding-block: .5rem; }
  th { color: var(--muted); }
}
@media (min-width: 48em), print {
  .verdict { grid-template-columns: minmax(0, 1fr) minmax(13rem, 18rem); gap: 3rem; padding-block: 2rem 3rem; }
  tbody th, .rows dt { width: 22rem; padding-inline-end: 1.25rem; }
  .from { margin-inline-start: auto; }
  .rows > div { display: grid; grid-template-columns: 22rem minmax(0, 1fr); align-items: baseline; }
  .pass li, .skip li { display: grid; grid-template-columns: 22rem minmax(0, 1fr) auto; align-items: baseline; }
  .pass .what, .skip .what { display: contents; }
  .pass .took { order: 1; padding-inline-start: 1.25rem; }
  footer { grid-template-columns: 22rem minmax(0, 1fr); gap: 0; }
}
@media (min-width: 100em) {
  main, footer, header.top { padding-inline: max(2rem, 50vw - 60rem); }
  .verdict { margin-inline: calc(-1 * max(2rem, 50vw - 60rem)); padding-inline: max(2rem, 50vw - 60rem); }
  h1 { font-size: 6.5rem; }
  .columns { display: grid; grid-template: repeat(8, auto) 1fr / minmax(0, 5fr) minmax(0, 6fr); gap: 0 4rem; }
  .rows > div, .pass li, .skip li { grid-template-columns: 16rem minmax(0, 1fr) auto; }
  .profile .rows > div { grid-template-columns: 22rem minmax(0, 1fr); }
  .columns > :not(.profile) tbody th { width: 16rem; }
  .columns > * { grid-column: 1; }
  .columns > .profile { grid-area: 1 / 2 / 10; }
  .pair { grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); column-gap: 4rem; }
}
@media (forced-colors: active) {
  .banner, .verdict, button { border: 1px solid; }
  .icon { fill: CanvasText; }
}
`
