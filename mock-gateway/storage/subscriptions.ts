import { inserterInto, updaterOf } from './rows.ts'

export const insertSubscription = inserterInto('subscriptions')

export const updateSubscription = updaterOf('subscriptions')
