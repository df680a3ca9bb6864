// Breaks recorded exchanges on purpose: a comparison that finds nothing then would not find anything: red.mjs FOLDER DESCRIPTION…
import assert from 'node:assert/strict'
import { Published, read } from './exchanges.mjs'

const [folder, ...names] = process.argv.slice(2)
const published = new Published(names)
const exchanges = read(folder)

const CHECK = 'POST /repos/{owner}/{repo}/check-runs'
const PULL = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
const LIST = 'GET /repos/{owner}/{repo}/pulls'
const QUESTION = 'POST /graphql'

const BREAKS = [
  ['a field that nobody describes', CHECK, e => { e.body.externalId = 'x' }],
  ['a field that is missing', CHECK, e => { delete e.body.name }],
  ['a field of another type', CHECK, e => { e.body.output = 'x' }],
  ['a word that nobody knows', CHECK, e => { e.body.status = 'running' }],
  ['no JSON', CHECK, e => { delete e.headers['content-type'] }],
  ['a parameter that nobody describes', LIST, e => { e.query += '&order=created' }],
  ['a parameter of another type', LIST, e => { e.query = 'per_page=ten' }],
  ['too large a page', LIST, e => { e.query = 'per_page=101' }],
  ['a number that is none', PULL, e => { e.path += 'x' }],
  ['a path of no operation', PULL, e => { e.path += '/x/y' }],
  ['a body where none is', PULL, e => { e.body = { a: 1 } }],
  ['a status that nobody describes', PULL, e => { e.status = 299 }],
  ['an answer that lacks a field', PULL, e => { delete e.answer.head.repo.owner.login }],
  ['an answer with a field of its own', PULL, e => { e.answer.head.repo.owner.nick = 'x' }],
  ['an answer with null', PULL, e => { e.answer.head.sha = null }],
  ['an answer without a body', PULL, e => { delete e.answer }],
  ['a question for what is not there', QUESTION, e => { e.body.query = e.body.query.replace('isResolved', 'isOpen') }],
  ['a question without a variable', QUESTION, e => { delete e.body.variables.number }],
  ['an answer to another question', QUESTION, e => { e.answer.data.repository.pullRequest.title = 'x' }],
  ['an answer of another type', QUESTION, e => { e.answer.data.repository.pullRequest.reviewDecision = 'MAYBE' }],
]

for (const [what, operation, spoil] of BREAKS) {
  const good = exchanges.find(e => !e.fault && e.status < 300 && published.operation(e) === operation)
  assert(good, `no ${operation} was recorded`)
  assert.deepEqual(published.faults(good), [], operation)
  const bad = structuredClone(good)
  spoil(bad)
  assert(published.faults(bad).length, `${what} is not found in ${operation}`)
}
console.log(`ok: ${BREAKS.length} breaks are found`)
