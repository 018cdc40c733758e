function sieve() {
    const prime = Array(10000).fill(true);
    let found = 0;
    for (let n = 2; n < 10000; n++) {
        if (prime[n]) {
            found += 1;
            for (let multiple = n * n; multiple < 10000; multiple += n) prime[multiple] = false;
        }
    }
    return found;
}
