import { aloneInItsData } from './alone.ts'

aloneInItsData()
