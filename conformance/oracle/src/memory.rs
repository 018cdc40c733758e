//! An allocator with a ceiling.
//!
//! A plain engine has no size limits: `loop { s += s }` asks for the machine's whole memory long before the
//! operation budget ends. Over the ceiling an allocation fails, Rust aborts the worker, and the supervisor
//! answers for it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Capped;

static USED: AtomicUsize = AtomicUsize::new(0);
static CAP: AtomicUsize = AtomicUsize::new(usize::MAX);

pub fn set_cap(bytes: usize) {
    CAP.store(bytes, Ordering::Relaxed);
}

fn reserve(bytes: usize) -> bool {
    let before = USED.fetch_add(bytes, Ordering::Relaxed);
    let fits = before.saturating_add(bytes) <= CAP.load(Ordering::Relaxed);
    if !fits {
        USED.fetch_sub(bytes, Ordering::Relaxed);
    }
    fits
}

unsafe impl GlobalAlloc for Capped {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !reserve(layout.size()) {
            return ptr::null_mut();
        }
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        USED.fetch_sub(layout.size(), Ordering::Relaxed);
        System.dealloc(memory, layout);
    }

    // Only the growth is reserved: the default would hold both blocks, and copy.
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() && !reserve(size - layout.size()) {
            return ptr::null_mut();
        }
        if size < layout.size() {
            USED.fetch_sub(layout.size() - size, Ordering::Relaxed);
        }
        System.realloc(memory, layout, size)
    }
}
