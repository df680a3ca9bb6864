// Compares recorded exchanges with what GitHub publishes about its API: check.mjs FOLDER DESCRIPTION…
import { readFileSync } from 'node:fs'
import { Published, read } from './exchanges.mjs'

const [folder, ...names] = process.argv.slice(2)
const published = new Published(names)
const exchanges = read(folder)
const excuses = readFileSync(new URL('excuses', import.meta.url), 'utf8').split('\n').filter(l => l && !l.startsWith('#')).map(line => {
  const [operation, place, why] = line.split(' | ')
  return { operation, place: new RegExp(`^(${place})$`), why: new RegExp(`^(${why})$`), times: 0 }
})
const counts = new Map()
const broken = new Map()
const violations = new Map()

const count = (map, key) => map.set(key, (map.get(key) ?? 0) + 1)

function violated(exchange, operation, { side, place, why, by }) {
  const excuse = excuses.find(e => e.operation === operation && e.place.test(place) && e.why.test(why))
  if (excuse) return excuse.times++
  // One line for all of a kind: which of a list it was, and which page, does not matter.
  const kind = [operation, side, place.replace(/\/\d+(?=\/|$)/g, '/N'), why, exchange.status].join('\n')
  const asked = `${exchange.method} ${exchange.path}${exchange.query ? '?' + exchange.query : ''}`
  const known = violations.get(kind) ?? { line: `${asked} ${exchange.status}: ${side}: ${place} ${why} (${by})`, times: 0 }
  violations.set(kind, { ...known, times: known.times + 1 })
}

for (const exchange of exchanges) {
  const operation = published.operation(exchange)
  count(counts, operation)
  if (exchange.fault) count(broken, exchange.fault)
  published.faults(exchange).forEach(f => violated(exchange, operation, f))
}

const line = (times, ...words) => console.log(String(times).padStart(6), ...words)
for (const [operation, times] of [...counts].sort()) line(times, operation)
for (const [kind, times] of [...broken].sort()) line(times, 'answers left out:', kind)
for (const { operation, why, times } of excuses.filter(e => e.times)) line(times, 'excused:', operation, why.source)
for (const { line, times } of violations.values()) console.log('VIOLATION', line + (times > 1 ? `, and ${times - 1} more like it` : ''))
console.log(`${exchanges.length} exchanges of ${counts.size} operations by ${published.names}: ${violations.size} kinds of violations`)
// Nothing recorded means that nothing was tried.
process.exit(violations.size || !exchanges.length ? 1 : 0)
