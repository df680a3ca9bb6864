// A GitHub for the product: `emulate` for the API, real git beside it, and its hooks on their way to the product.
// What emulate lacks is git over http (here: git http-backend), /api/v3 before its paths, statuses, rules, GraphQL.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { appendFileSync } from 'node:fs'
import { createEmulator } from 'emulate'

async function body(stream) {
  const parts = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}
const json = bytes => (bytes.length ? JSON.parse(bytes) : undefined)

export class Front {
  /** Git is served below `root`, exchanges are written to `traffic`, hooks are sent on to `product`. */
  static async start({ port, root, traffic, product, seed, examples }) {
    const emulator = await createEmulator({ service: 'github', port: port + 1, seed })
    const front = new Front(port, root, traffic, product, emulator, examples)
    await new Promise(resolve => front.server.listen(port, '127.0.0.1', resolve))
    return front
  }

  constructor(port, root, traffic, product, emulator, examples) {
    Object.assign(this, { root, traffic, product, emulator, examples, hooks: [], asked: [], url: 'http://127.0.0.1:' + port })
    this.server = createServer((request, response) =>
      this.#serve(request, response).catch(e => response.writeHead(502).end(String(e))))
  }

  key(app) {
    return this.emulator.generatedSecrets.find(s => s.id === String(app)).value
  }

  async #serve(request, response) {
    const sent = await body(request)
    if (request.url.startsWith('/api/')) return this.#api(request, sent, response)
    if (request.url === '/hook') return this.#hook(request, sent, response)
    return this.#git(request, sent, response)
  }

  async #api(request, sent, response) {
    const [path, query] = request.url.replace(/^\/api(\/v3)?/, '').split('?')
    const example = this.examples.answer(request.method, path)
    const answer = example ? Response.json(example.json ?? {}, { status: example.status }) : await fetch(this.emulator.url + path + (query ? '?' + query : ''), {
      method: request.method,
      headers: { ...request.headers, host: new URL(this.emulator.url).host },
      body: sent.length ? sent : undefined,
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    this.asked.push(`${request.method} ${path} ${answer.status}`)
    // The answers are somebody else's: what we asked is checked.
    appendFileSync(this.traffic, JSON.stringify({
      base: '/api/v3', method: request.method, path, query, headers: request.headers, body: json(sent),
      status: answer.status, fault: example ? 'an example' : 'of emulate',
    }) + '\n')
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(bytes)
  }

  async #hook(request, sent, response) {
    const { host, connection, 'content-length': length, 'transfer-encoding': encoding, ...headers } = request.headers
    const answer = await fetch(this.product + '/hooks/github', { method: 'POST', headers, body: sent })
    this.hooks.push({ event: headers['x-github-event'], action: json(sent).action, status: answer.status })
    response.writeHead(answer.status).end()
  }

  /** Only for tokens that were given out, as the password of x-access-token. */
  async #git(request, sent, response) {
    const [, token] = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString().split('x-access-token:')
    const [path, query] = request.url.split('?')
    const repository = path.split('/').slice(1, 3).join('/').replace(/\.git$/, '')
    const known = token === this.examples.token || token && (await fetch(`${this.emulator.url}/repos/${repository}`, { headers: { authorization: 'Bearer ' + token } })).ok
    if (!known) return response.writeHead(401, { 'www-authenticate': 'Basic realm="GitHub"' }).end()
    const git = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH, GIT_PROJECT_ROOT: this.root, GIT_HTTP_EXPORT_ALL: '1', REMOTE_USER: 'x-access-token', REMOTE_ADDR: '127.0.0.1',
        REQUEST_METHOD: request.method, PATH_INFO: path, QUERY_STRING: query ?? '', CONTENT_TYPE: request.headers['content-type'] ?? '',
        CONTENT_LENGTH: String(sent.length), HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '', GIT_PROTOCOL: request.headers['git-protocol'] ?? '',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    git.stdin.on('error', () => {}) // it may answer before it has read everything
    git.stdin.end(sent)
    const answer = await body(git.stdout)
    const end = answer.indexOf('\r\n\r\n')
    const headers = Object.fromEntries(answer.subarray(0, end).toString().split('\r\n').map(l => l.split(/:\s*/, 2)))
    const { Status: status = '200', ...others } = headers
    response.writeHead(parseInt(status), others).end(answer.subarray(end + 4))
  }

  async close() {
    this.server.close()
    this.server.closeAllConnections()
    await this.emulator.close()
  }
}
