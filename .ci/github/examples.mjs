// The examples of answers that GitHub publishes: one repository whose API answers with nothing else.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { Description } from './description.mjs'
import { call, expect } from './product.mjs'

export const EXAMPLE = 'octocat/Hello-World'
const PULL = 1347
const INSTALLATION = 1

export class Examples {
  constructor() {
    this.description = new Description('api.github.com')
    this.token = this.answer('POST', `/app/installations/${INSTALLATION}/access_tokens`).json.token
  }

  /** Nothing where it is about something else. */
  answer(method, path) {
    if (!path.startsWith('/repos/' + EXAMPLE) && !path.startsWith(`/app/installations/${INSTALLATION}/`)) return undefined
    const operation = this.description.operation(method, path)
    return operation && this.description.example(operation)
  }
}

function repository(folder) {
  mkdirSync(folder, { recursive: true })
  const who = ['-c', 'user.name=octocat', '-c', 'user.email=octocat@example.com']
  const git = (args, input = '') => execFileSync('git', ['-C', folder, ...who, ...args], { input }).toString().trim()
  git(['init', '--quiet', '--bare', '--initial-branch=master'])
  const commit = git(['commit-tree', git(['mktree']), '-m', 'Begin'])
  git(['update-ref', 'refs/heads/master', commit])
}

/** Connects the repository of the examples, and expects that they are understood. */
export async function tryExamples(front, named, connect) {
  repository(`${front.root}/${EXAMPLE}.git`)
  const connected = await connect()
  const missing = connected.findings.filter(f => f.level === 'MISSING').map(f => f.message)
  expect('the example of an installation lacks what it lacks', missing,
    ['contents: write', 'pull_requests: write', 'workflows: write', 'actions: write', 'statuses: read']
      .map(permission => `The App lacks the permission ${permission}.`))
  await call('createQueue', { ...named(EXAMPLE), targetBranch: 'master', requiredStatuses: ['ci'] })
  const pr = { ...named(EXAMPLE), targetBranch: 'master', pr: { number: PULL } }
  const read = await call('submitPullRequest', pr)
  expect('the example of a pull request is read', [read.prTitle, read.prAuthor, read.prSha],
    ['Amazing new feature', 'octocat', '6dcb09b5b57875f334f61aebed695e2e4193db5e'])
  // It is open and not merged, though it has a time at which it was; and its head is not in git.
  expect('and waits for its head', [read.state, read.reason.code], ['NOT_READY', 'mergeability_unknown'])
  const checked = await call('checkRepository', named(EXAMPLE))
  expect('the example of rules restricts nobody', checked.findings.filter(f => f.level === 'ADVICE').map(f => f.message),
    ['Others than Mainstay may push to master, past the queue and its tests.'])
}
