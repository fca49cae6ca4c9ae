/** Style of the page, for light and dark. The colours of the series differ in lightness too, so that they can be told apart without seeing hue. */
export const PAGE_STYLE = `
:root { --back: #ffffff; --text: #1d2330; --dim: #5c6678; --line: #dde2ea; --s0: #0b62c4; --s1: #c2410c; --s2: #e08a00; --s3: #0f7b5f; --s4: #8e44ad; }
@media (prefers-color-scheme: dark) {
  :root { --back: #12161d; --text: #e6eaf1; --dim: #9aa5b8; --line: #2c3440; --s0: #6db1ff; --s1: #ff8a5c; --s2: #ffc45c; --s3: #4fd1a8; --s4: #d29bec; }
}
body { background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; max-width: 860px; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; }
h3 { font-size: 1rem; margin-bottom: 0.2rem; }
svg { width: 100%; height: auto; display: block; }
.grid { stroke: var(--line); }
.tick { fill: var(--dim); font: 12px system-ui, sans-serif; }
.name { fill: var(--text); font: 13px system-ui, sans-serif; }
.line { fill: none; stroke-width: 2; }
.line.s0 { stroke: var(--s0); } .line.s1 { stroke: var(--s1); } .line.s2 { stroke: var(--s2); } .line.s3 { stroke: var(--s3); } .line.s4 { stroke: var(--s4); }
.dot.s0, .bar.s0 { fill: var(--s0); } .dot.s1, .bar.s1 { fill: var(--s1); } .dot.s2, .bar.s2 { fill: var(--s2); } .dot.s3, .bar.s3 { fill: var(--s3); } .dot.s4, .bar.s4 { fill: var(--s4); }
.swatch.s0 { background: var(--s0); } .swatch.s1 { background: var(--s1); } .swatch.s2 { background: var(--s2); } .swatch.s3 { background: var(--s3); } .swatch.s4 { background: var(--s4); }
.middle { stroke: var(--text); stroke-width: 2; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.4rem 1.2rem; padding: 0; }
.swatch { display: inline-block; width: 0.8em; height: 0.8em; border-radius: 2px; margin-right: 0.4em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
th, td { text-align: right; padding: 0.25rem 0.7rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--dim); font-weight: 500; }
th:first-child, td:first-child { text-align: left; }
`
