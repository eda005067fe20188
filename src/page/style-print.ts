/** On paper: black on white, the classification on every sheet, and nothing that only a screen can use. */
export const printStyle = `
@media print {
  :root {
    --ground: #fff; --raised: #fff; --line: #bbb; --edge: #777; --text: #000; --muted: #444; --link: #000;
    --ok: #0a6b3b; --warning: #835000; --failed: #b0151f; --pending: #1b55ad; --skip: #444;
    --ok-ground: #fff; --warning-ground: #fff; --failed-ground: #fff; --pending-ground: #fff;
  }
  html { font-size: 10pt; }
  body { display: table; width: 100%; }
  .banner { position: static; break-inside: avoid; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .banner.top { display: table-header-group; }
  .banner.bottom { display: table-footer-group; }
  main, footer, header.top, .verdict { padding-inline: 0; margin-inline: 0; }
  footer, .skip-link, button, #live { display: none; }
  .columns { display: block; }
  h1 { font-size: 28pt; }
  h2, h3, thead { break-after: avoid; }
  li, tr, .facts > div { break-inside: avoid; }
}
`
