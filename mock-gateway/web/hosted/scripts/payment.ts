import { leaveBankFrame } from './page/after-bank.ts'
import { mountCardForm } from './page/card-form.ts'
import { watchEmail } from './page/email.ts'
import { keepTyped } from './page/language.ts'
import { sendOnce } from './page/once.ts'
import { speakToParent } from './page/parent.ts'
import { tellPayersTime } from './page/payers-time.ts'
import { mountPrint } from './page/print.ts'
import { mountTestHelper } from './page/test-helper.ts'
import { watchTime } from './page/time.ts'
import { waitForEnd } from './page/waiting.ts'

/*
 * What a script adds to the pages of a payment: all of them work without. Modules of the browser,
 * in one file when they are served; they import nothing but each other and facts that the gateway
 * judges by itself.
 */

// A page that the browser has kept may show what is paid by now.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})
mountCardForm()
keepTyped()
watchEmail()
mountTestHelper()
sendOnce()
watchTime()
waitForEnd()
mountPrint()
tellPayersTime()
speakToParent()
leaveBankFrame()
