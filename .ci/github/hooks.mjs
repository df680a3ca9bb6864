// Sends the published examples of hooks to the product, signed as GitHub signs.
import { createHmac, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { expect, url } from './product.mjs'

const examples = createRequire(import.meta.url)('@octokit/webhooks-examples')
const EVENTS = ['pull_request', 'push', 'check_run', 'check_suite', 'status', 'pull_request_review', 'issue_comment', 'delete',
  'repository', 'workflow_run', 'installation', 'installation_repositories']

export const sign = (secret, body) => 'sha256=' + createHmac('sha256', secret).update(body).digest('hex')

expect("the signature is GitHub's", sign("It's a Secret to Everybody", 'Hello, World!'),
  'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17')

async function deliver(event, body, signature, target) {
  const headers = {
    'content-type': 'application/json', 'user-agent': 'GitHub-Hookshot/044aadd', 'x-github-event': event, 'x-github-delivery': randomUUID(),
    'x-github-hook-id': '292430182', 'x-github-hook-installation-target-type': target.type, 'x-github-hook-installation-target-id': String(target.id),
  }
  if (signature) headers['x-hub-signature-256'] = signature
  const answer = await fetch(url + '/hooks/github', { method: 'POST', headers, body })
  await answer.text()
  return answer.status
}

/** Every example is taken where it is signed, whether it concerns us or not, and refused where it is not. */
export async function sendAll(secret, app, repository) {
  let ours = 0
  let others = 0
  let sent = 0
  for (const { name, examples: all } of examples.filter(e => EVENTS.includes(e.name))) {
    const got = new Set()
    for (const example of all) {
      const body = JSON.stringify(example)
      const concerns = example.repository?.full_name === repository
      concerns ? ours++ : others++
      const target = { type: 'integration', id: app }
      got.add('signed ' + (await deliver(name, body, sign(secret, body), target)))
      got.add('wrong ' + (await deliver(name, body, sign('guess', body), target)))
      got.add('changed ' + (await deliver(name, body + ' ', sign(secret, body), target)))
      got.add('bare ' + (await deliver(name, body, undefined, target)))
      sent += 4
      // The hook of a repository proves nothing of others: their secrets are their own. One or two of each event will do.
      const kind = concerns ? 'ours ' : 'other '
      if (![...got].some(g => g.startsWith(kind))) {
        got.add(kind + (await deliver(name, body, sign(secret, body), { type: 'repository', id: 1 })))
        sent++
      }
    }
    const wanted = ['bare 401', 'changed 401', 'other 401', 'ours 200', 'signed 200', 'wrong 401']
    expect(`${all.length} examples of ${name}`, [...got].filter(g => !wanted.includes(g)), [])
  }
  expect('examples of this repository, and of others or none', ours > 50 && others > 10, true)
  expect('examples of every event', examples.filter(e => EVENTS.includes(e.name)).length, EVENTS.length)
  console.log(`${ours} examples of ${repository} and ${others} others, ${sent} calls`)
}
