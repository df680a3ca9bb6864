// A repository at emulate and in git at once: emulate names commits as git does, so both have the same.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

const WHO = { name: 'Ann', email: 'ann@example.com' }

export class World {
  constructor(front, token, repository) {
    Object.assign(this, { front, token, repository, folder: `${front.root}/${repository}.git`, time: 1767225600 })
    mkdirSync(this.folder, { recursive: true })
    this.#git(['init', '--quiet', '--bare', '--initial-branch=main'])
    this.#git(['config', 'http.receivepack', 'true'])
    this.#git(['config', 'receive.hideRefs', 'refs/pull'])
  }

  #git(args, input = '', date = '') {
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
    for (const role of ['AUTHOR', 'COMMITTER']) {
      env[`GIT_${role}_NAME`] = WHO.name
      env[`GIT_${role}_EMAIL`] = WHO.email
    }
    return execFileSync('git', ['-C', this.folder, ...args], { input, env }).toString().trim()
  }

  async ask(method, path, body, status = [200, 201]) {
    const answer = await fetch(`${this.front.emulator.url}/repos/${this.repository}${path}`, {
      method,
      headers: { authorization: 'Bearer ' + this.token, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    const text = await answer.text()
    assert(status.includes(answer.status), `${method} ${path}: ${answer.status} ${text}`)
    return text ? JSON.parse(text) : undefined
  }

  /** A commit with these files alone. */
  async commit(message, files, parents = []) {
    const at = this.time++
    const entries = Object.entries(files).map(([path, content]) => ({ path, mode: '100644', type: 'blob', content }))
    const tree = await this.ask('POST', '/git/trees', { tree: entries })
    const date = new Date(at * 1000).toISOString()
    const made = await this.ask('POST', '/git/commits', { message, tree: tree.sha, parents, author: { ...WHO, date }, committer: { ...WHO, date } })
    const lines = entries.map(e => `100644 blob ${this.#git(['hash-object', '-w', '--stdin'], e.content)}\t${e.path}\n`)
    const ours = this.#git(['mktree'], lines.join(''))
    const same = this.#git(['commit-tree', ours, '-m', message, ...parents.flatMap(p => ['-p', p])], '', at + ' +0000')
    assert.equal(same, made.sha, 'emulate and git name a commit alike')
    return made.sha
  }

  async branch(name, sha) {
    this.#git(['update-ref', 'refs/heads/' + name, sha])
    await this.ask('POST', '/git/refs', { ref: 'refs/heads/' + name, sha })
  }

  async pull(title, head) {
    const made = await this.ask('POST', '/pulls', { title, head, base: 'main', body: 'Because.' })
    this.#git(['update-ref', `refs/pull/${made.number}/head`, made.head.sha])
    return made
  }

  runs(sha) {
    return this.ask('GET', `/commits/${sha}/check-runs?filter=all`).then(found => found.check_runs)
  }
}
