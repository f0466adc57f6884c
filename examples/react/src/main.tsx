import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { openOrder } from './order.ts'
import { Shop } from './Shop.tsx'

// Outside of the components: StrictMode mounts them twice, and the order is opened once.
const opened = openOrder()

createRoot(document.querySelector('main') as HTMLElement).render(
  <StrictMode>
    <Suspense>
      <Shop opened={opened} />
    </Suspense>
  </StrictMode>,
)
