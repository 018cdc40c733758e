function closures() {
    const rows = [];
    for (let i = 0; i < 10000; i++) rows.push({ id: i, value: i * 3 });
    return rows.filter((row) => row.id % 2 === 0).map((row) => row.value).reduce((sum, value) => sum + value, 0);
}
