import type { RequestHandler } from 'express'
import { type ApiDependencies, apiRouter, apiV2Router } from '../web/api/router.ts'
import type { ConsoleDependencies } from '../web/console/dependencies.ts'
import { consoleRouter } from '../web/console/router.ts'
import { type ControlDependencies, controlRouter } from '../web/control/router.ts'
import { type HealthDependencies, healthRouter } from '../web/docs/health.ts'
import { type MetricsDependencies, metricsRouter } from '../web/docs/metrics.ts'
import { type DocsDependencies, docsRouter } from '../web/docs/router.ts'
import { type HomeDependencies, homeRouter } from '../web/home/router.ts'
import { unknownPage } from '../web/home/unknown-page.ts'
import { linkRouter } from '../web/hosted/link-router.ts'
import { type HostedDependencies, hostedRouter } from '../web/hosted/router.ts'
import { ssnRouter } from '../web/hosted/ssn.ts'
import { whenAsked } from '../web/http/pipeline.ts'
import { type LibraryDependencies, libraryRouter } from '../web/library/served-library.ts'
import { type Assets, assetRouter } from '../web/pages/assets.ts'
import { bankRouter, type ThreeDSecureDependencies } from '../web/three-d-secure/bank.ts'
import { mpiRouter } from '../web/three-d-secure/mpi.ts'
import { statusRouter } from '../web/three-d-secure/status.ts'

/** What answers at the gateway's addresses is made of. */
export type RoutesDependencies = ApiDependencies &
  ConsoleDependencies &
  ControlDependencies &
  DocsDependencies &
  HealthDependencies &
  HomeDependencies &
  HostedDependencies &
  LibraryDependencies &
  MetricsDependencies &
  ThreeDSecureDependencies & { readonly assets: Assets }

/** Every address of the gateway and what answers there, in the order in which they are asked. */
export function routes(all: RoutesDependencies): readonly (readonly [path: string, ...RequestHandler[]])[] {
  return [
    ['/', libraryRouter(all)],
    ['/v1/form', whenAsked(() => hostedRouter(all))],
    ['/pay', whenAsked(() => linkRouter(all))],
    ['/v1/acs', whenAsked(() => bankRouter(all))],
    ['/v1/mpi_js', statusRouter(all.authenticator), whenAsked(() => mpiRouter(all))],
    ['/v1/ssn', ssnRouter(all.authenticator)],
    ['/v1', apiRouter(all)],
    ['/v2', whenAsked(() => apiV2Router(all))],
    ['/console', whenAsked(() => consoleRouter(all))],
    ['/_control', whenAsked(() => controlRouter(all))],
    ['/', whenAsked(() => homeRouter(all)), assetRouter(all.assets), whenAsked(() => docsRouter(all))],
    ['/', metricsRouter(all), healthRouter(all)],
    ['/', unknownPage(all)],
  ]
}
