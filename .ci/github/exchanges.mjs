// Recorded exchanges, and what of them is not as GitHub publishes it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Description } from './description.mjs'
import { Questions } from './graphql.mjs'

export function read(folder) {
  return readdirSync(folder).filter(f => f.endsWith('.jsonl')).sort()
    .flatMap(f => readFileSync(join(folder, f), 'utf8').split('\n').filter(Boolean).map(line => named(JSON.parse(line))))
}

/** GitHub points to the number of a repository that was renamed, and describes paths with names only. */
function named(exchange) {
  return { ...exchange, path: exchange.path.replace(/^\/repositories\/\d+/, '/repos/acme/app') }
}

export class Published {
  constructor(names) {
    this.descriptions = names.map(name => new Description(name))
    this.questions = new Questions()
  }

  get names() {
    return this.descriptions.map(d => d.name + ' ' + d.version).join(' and ')
  }

  /** The name of the operation of an exchange. */
  operation({ method, path }) {
    if (path === '/graphql') return 'POST /graphql'
    const known = this.descriptions.map(d => d.operation(method, path)).find(Boolean)
    return known ? known.method + ' ' + known.template : 'unknown'
  }

  /** The faults of a request and, unless that is wrong on purpose or somebody else's, of the answer. */
  faults(exchange) {
    if (exchange.path === '/graphql') {
      return sides(exchange, 'graphql-schema', () => this.questions.request(exchange), () => this.questions.answer(exchange))
    }
    return this.descriptions.flatMap(d => {
      const operation = d.operation(exchange.method, exchange.path)
      return operation
        ? sides(exchange, d.name, () => d.request(operation, exchange), () => d.answer(operation, exchange))
        : [{ side: 'request', place: 'path', why: 'is of no operation', by: d.name }]
    })
  }
}

function sides(exchange, by, request, answer) {
  const asked = request().map(f => ({ ...f, side: 'request', by }))
  return exchange.fault ? asked : [...asked, ...answer().map(f => ({ ...f, side: 'answer', by }))]
}
