import { Agent, createServer, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '../../helpers/listening.ts'

/** Load balancer with one address for several gateways, like examples/compose/haproxy.cfg. */
export interface Balancer {
  readonly origin: string
  close(): Promise<void>
}

/**
 * Sends each request to the next gateway. If that gateway does not accept the connection, the
 * gateway after it gets the request. If the connection is cut later, the client's connection is
 * cut, too, because the request may have been carried out.
 * @param origins of the gateways, which can start later; the caller closes the balancer
 */
export async function openBalancer(origins: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server = createServer(async (asked, response) => {
    const { method, headers, url = '/' } = asked
    const body = await buffer(asked)
    const cut = () => response.destroy()
    function handOver(tries: number) {
      const onward = request(new URL(url, origins[turn++ % origins.length]), {
        method,
        headers,
        agent,
      })
      onward.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED' && tries > 1) handOver(tries - 1)
        else cut()
      })
      onward.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on('error', cut)
        answer.pipe(response)
      })
      onward.end(body)
    }
    handOver(origins.length)
  })
  const { url, close } = await listen(server)
  return {
    origin: url,
    close() {
      agent.destroy()
      return close()
    },
  }
}
