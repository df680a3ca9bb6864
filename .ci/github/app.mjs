// The product as a GitHub App of `emulate`: tokens, permissions, pull requests, one check run, signed hooks: app.mjs FOLDER TRAFFIC LOG
import { readFileSync } from 'node:fs'
import { EXAMPLE, Examples, tryExamples } from './examples.mjs'
import { Front } from './front.mjs'
import { sendAll } from './hooks.mjs'
import { call, expect, until, url } from './product.mjs'
import { World } from './world.mjs'

const [root, traffic, log] = process.argv.slice(2)
const SECRET = 'a secret of this run and nobody else'
const REPOSITORY = 'Codertocat/Hello-World'
const LESSER = 'guest/less'
const APP = 4711
const LESS = 4712
const permissions = { actions: 'write', checks: 'write', contents: 'write', issues: 'write', pull_requests: 'write', statuses: 'read', workflows: 'write', metadata: 'read' }
const { checks, ...others } = permissions
const events = ['pull_request', 'push', 'check_run', 'check_suite', 'issue_comment', 'create']

const front = await Front.start({
  port: 18440,
  root,
  traffic,
  product: url,
  examples: new Examples(),
  seed: {
    tokens: { author: { login: 'Codertocat', scopes: ['repo'] }, guest: { login: 'guest', scopes: ['repo'] } },
    github: {
      users: [{ login: 'Codertocat' }, { login: 'guest' }],
      repos: [{ owner: 'Codertocat', name: 'Hello-World', auto_init: false }, { owner: 'guest', name: 'less', auto_init: false }],
      apps: [
        { app_id: APP, slug: 'mainstay', name: 'Mainstay', permissions, events, webhook_url: 'http://127.0.0.1:18440/hook', webhook_secret: SECRET, installations: [{ installation_id: 100, account: 'Codertocat' }] },
        { app_id: LESS, slug: 'less', name: 'Less', permissions: { ...others, checks: 'read' }, installations: [{ installation_id: 101, account: 'guest' }] },
      ],
    },
  },
})

const named = path => ({ repo: { host: 'github.example', owner: path.split('/')[0], name: path.split('/')[1] } })
const connect = (path, app, more) => call('connectRepository', {
  ...named(path), address: `${front.url}/${path}`, kind: 'github', credentials: { app: { id: String(app), privateKey: front.key(app), ...more } },
})
const tokens = async () => (await (await fetch(front.emulator.url + '/_emulate/installation-tokens')).json()).installation_tokens

const world = new World(front, 'author', REPOSITORY)
const main = await world.commit('Begin', { 'a.txt': '1\n' })
await world.branch('main', main)
await world.ask('PUT', '/branches/main/protection', { required_status_checks: { strict: false, contexts: ['ci'] }, enforce_admins: false, required_pull_request_reviews: null, restrictions: null })
const head = await world.commit('Change', { 'a.txt': '1\n', 'b.txt': '2\n' }, [main])
await world.branch('change', head)
const pull = await world.pull('Add b', 'change')

const less = new World(front, 'guest', LESSER)
const lessMain = await less.commit('Begin', { 'a.txt': '1\n' })
await less.branch('main', lessMain)
const lessHead = await less.commit('Change', { 'a.txt': '2\n' }, [lessMain])
await less.branch('change', lessHead)
const lessPull = await less.pull('Change a', 'change')

await until('emulate told of it all', () => front.hooks, hooks => hooks.length >= 3)
expect('nobody believes the hooks of what is not connected', front.hooks.splice(0).filter(h => h.status !== 401), [])

// Tokens and permissions.
const lacking = await connect(LESSER, LESS)
expect('a permission that is missing is named', lacking.findings.filter(f => f.level === 'MISSING').map(f => f.message), ['The App lacks the permission checks: write.'])
const connected = await connect(REPOSITORY, APP, { hookSecret: SECRET })
expect('an App with all permissions is connected', connected.findings.filter(f => f.level === 'MISSING'), [])
const given = (await tokens()).filter(t => t.app.id === APP)
expect('tokens were made for its installation', [given.length > 0, given.every(t => t.installation.id === 100 && t.status === 'active')], [true, true])

// Pull requests, and our one check run on the head.
await call('createQueue', { ...named(REPOSITORY), targetBranch: 'main' })
const pr = { ...named(REPOSITORY), targetBranch: 'main', pr: { number: pull.number } }
await call('submitPullRequest', pr)
const shown = await until('the pull request is tested', () => call('getSubmittedPullRequest', pr), p => p.state === 'TESTING')
expect('its title and head were read', [shown.prTitle, shown.prSha, shown.prAuthor], ['Add b', head, 'Codertocat'])
const first = await until('our check run is on the head', () => world.runs(head), runs => runs.some(r => r.name === 'mainstay' && r.status === 'in_progress'))
await call('cancelPullRequest', pr)
const last = await until('it is changed in place', () => world.runs(head), runs => runs.some(r => r.name === 'mainstay' && r.status === 'completed'))
expect('there is one check run', [first.length, last.length, last[0].id, last[0].external_id], [1, 1, first[0].id, 'mainstay'])
expect('and the check passes nothing that left', last[0].conclusion, 'cancelled')
const ready = await call('checkRepository', named(REPOSITORY))
expect('the check lists the required check that nobody runs', ready.findings.some(f => f.message.includes('ci')), true)

// Without the permission a check is refused, and the queue goes on.
await call('createQueue', { ...named(LESSER), targetBranch: 'main', requiredStatuses: ['ci'] })
const lessPr = { ...named(LESSER), targetBranch: 'main', pr: { number: lessPull.number } }
await call('submitPullRequest', lessPr)
await until('a pull request is tested without our check', () => call('getSubmittedPullRequest', lessPr), p => p.state === 'TESTING')
await until('the check was asked for, and refused', () => front.asked, asked => asked.includes(`POST /repos/${LESSER}/check-runs 403`))
expect('and is not there', await less.runs(lessHead), [])

await tryExamples(front, named, () => connect(EXAMPLE, APP))

// Hooks of emulate: our own check runs, and a pull request that is opened.
const second = await world.commit('Another', { 'a.txt': '1\n', 'c.txt': '3\n' }, [main])
await world.branch('another', second)
const before = front.asked.length
await world.pull('Add c', 'another')
await until('emulate told of pull requests and checks, and was believed', () => front.hooks, hooks =>
  ['pull_request', 'check_run'].every(event => hooks.some(h => h.event === event)))
expect('no hook was refused', front.hooks.filter(h => h.status !== 200), [])
await until('the product looked after a hook', () => front.asked.slice(before), asked => asked.includes(`GET /repos/${REPOSITORY}/pulls 200`))
// One for the look while connecting, one for the connection as it is kept; not one for each request.
expect('all of that with a few tokens', (await tokens()).filter(t => t.app.id === APP).length <= 4, true)

await sendAll(SECRET, APP, REPOSITORY)
// Before emulate is gone, which would be told too. That a check may not be written is told rightly.
const complaints = readFileSync(log, 'utf8').split('\n').filter(line => / (WARN|ERROR) | 500 in \d+ ms|request failed/.test(line))
expect('the service complains of nothing else', complaints.filter(line => !line.includes('does not allow this with the credentials')), [])
await front.close()
