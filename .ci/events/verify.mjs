// The product sends real events, and the libraries `standardwebhooks` and `svix` say what they think of them.
import { call, expect, until } from './product.mjs'
import { accepting, Receiver } from './receiver.mjs'

const BOTH = ['standardwebhooks', 'svix']
const receiver = await Receiver.start()
const queue = { repo: { host: 'git.example', owner: 'acme', name: 'shop' }, targetBranch: 'main' }
const hook = async (path, more = {}) => {
  const made = await call('webhooks/create', { url: receiver.address(path), kinds: ['pull_request.submitted', 'pull_request.cancelled'], ...more })
  return { path, id: made.webhook.id, secret: made.secret }
}
const arrived = (hook, count) => until(`${count} at ${hook.path}`, () => receiver.at(hook.path), got => got.length >= count)
const kinds = got => got.map(({ body }) => JSON.parse(body).type)

const plain = await hook('/standard')
const flat = await hook('/trunk', { format: 'trunk' })
const fails = await hook('/fails')
receiver.next['/fails'] = [500]
await call('createQueue', queue)
await call('submitPullRequest', { ...queue, pr: { number: 1 } })
const [first] = await arrived(plain, 1)
const [trunk] = await arrived(flat, 1)
expect('what is sent is what happened', kinds([first]), ['pull_request.submitted'])
for (const [name, { secret }, got] of [['standard', plain, first], ['trunk', flat, trunk]]) {
  expect(`the format ${name} is accepted`, accepting(secret, got), BOTH)
  expect('a changed body is refused', accepting(secret, { ...got, body: got.body.replace('acme', 'evil') }), [])
  expect('and so is another secret', accepting((name === 'trunk' ? plain : flat).secret, got), [])
  for (const part of ['id', 'timestamp']) {
    const headers = { ...got.headers, [`webhook-${part}`]: '1700000000', [`svix-${part}`]: '1700000000' }
    expect(`and another ${part}`, accepting(secret, { ...got, headers }), [])
  }
}
expect('both families of headers say the same', ['id', 'timestamp', 'signature'].filter(part => first.headers[`svix-${part}`] !== first.headers[`webhook-${part}`]), [])
expect('without them nobody accepts', accepting(plain.secret, { headers: {}, body: first.body }), [])

// Rotation: both secrets are good in the grace, then the new one alone.
const rotate = async grace => (await call('webhooks/rotate', { id: plain.id, graceSeconds: grace })).secret
const second = await rotate(3600)
await call('cancelPullRequest', { ...queue, pr: { number: 1 } })
const rotated = (await arrived(plain, 2))[1]
expect('in the grace the old secret is good', accepting(plain.secret, rotated), BOTH)
expect('and so is the new one', accepting(second, rotated), BOTH)
expect('by two signatures', rotated.headers['webhook-signature'].split(' ').length, 2)
const third = await rotate(0)
await call('webhooks/test', { id: plain.id })
const last = (await arrived(plain, 3))[2]
expect('without grace only the newest is good', [plain.secret, second, third].map(secret => accepting(secret, last)), [[], [], BOTH])

// What failed comes again under its id, signed anew.
const again = (await arrived(fails, 3)).slice(0, 3)
expect('what failed is sent again before what follows it', kinds(again), ['pull_request.submitted', 'pull_request.submitted', 'pull_request.cancelled'])
expect('each attempt is accepted', again.map(got => accepting(fails.secret, got)), [BOTH, BOTH, BOTH])
expect('the id stays, and the time does not', ['webhook-id', 'webhook-timestamp'].map(name => again[0].headers[name] === again[1].headers[name]), [true, false])
receiver.close()
